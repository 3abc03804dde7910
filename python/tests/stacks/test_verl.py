"""verl: its configuration names the function, and its reward loop calls it in Ray actors. No rollout and no update run.

Each token of the tokenizer is a whole response.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
from hydra import compose, initialize_config_dir
from tensordict import TensorDict
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from verl import DataProto
from verl.experimental.reward_loop import RewardLoopManager
from verl.trainer.ppo.core_algos import compute_gdpo_outcome_advantage

from codeslope.verl import compute_score

import samples

RESPONSES = [*map(samples.response, (samples.GOOD, samples.COPY, samples.WRONG, samples.UNFIT)), "I cannot."]


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=4, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}})
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    vocabulary = {word: at for at, word in enumerate(["<pad>", "<eos>", "<unk>", *RESPONSES])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.WhitespaceSplit(), decoders.Fuse()
    folder = tmp_path_factory.mktemp("words")
    special = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=inner, **special).save_pretrained(folder)
    return folder


def batch(label: Any) -> DataProto:
    size = len(RESPONSES)
    answers = torch.tensor([[at + 3, 0] for at in range(size)])
    prompts = torch.full((size, 1), 2)
    mask = torch.tensor([[1, 1, 0]] * size)
    tensors = {"prompts": prompts, "responses": answers, "attention_mask": mask}
    return DataProto(
        batch=TensorDict(tensors, batch_size=size),
        non_tensor_batch={
            "data_source": np.array(["shop"] * size, dtype=object),
            "reward_model": np.array([{"style": "rule", "ground_truth": label} for _ in range(size)], dtype=object),
            "extra_info": np.array([{"index": at, "split": "train"} for at in range(size)], dtype=object),
        },
    )


def scored(
    words: Path, base: Path, manager: str, name: str, tests: str, label: Any = "the reference text"
) -> DataProto:
    kwargs = f"{{base: '{base}', tests: '{tests}'}}"
    overrides = [
        "reward.num_workers=1",
        "reward.custom_reward_function.path=pkg://codeslope.verl",
        f"reward.custom_reward_function.name={name}",
        f"+reward.custom_reward_function.reward_kwargs={kwargs}",
        f"reward.reward_manager.name={manager}",
        f"actor_rollout_ref.model.path={words}",
    ]
    with initialize_config_dir(str(files("verl") / "trainer/config"), version_base=None):
        config = compose("ppo_trainer", overrides)
    loop = RewardLoopManager(config)
    try:
        return loop.compute_rm_score(batch(label))
    finally:
        for worker in loop.reward_loop_workers:
            ray.kill(worker)


@pytest.mark.parametrize(
    ("manager", "name"), [("naive", "compute_score"), ("naive", "compute_score_async"), ("gdpo", "compute_score_async")]
)
def test_reward_loop_calls_the_function(words: Path, base: Path, manager: str, name: str) -> None:
    found = scored(words, base, manager, name, "samples:run_tests")
    assert found.batch["rm_scores"][:, 0].tolist() == pytest.approx([1.0, 0.9, 0.0, 0.0, 0.0])
    assert set(found.meta_info["reward_extra_keys"]) == set(compute_score("", "", "{}", {}, base=str(base)))
    assert found.non_tensor_batch["acc"].tolist() == [1, 1, 0, 0, 0]
    assert found.non_tensor_batch["p_dup"][1] > 0.5
    assert found.non_tensor_batch["valid"].tolist() == [1.0] * 5


def test_components_have_advantages_of_their_own(words: Path, base: Path) -> None:
    found, size = scored(words, base, "gdpo", "compute_score_async", "samples:run_tests"), len(RESPONSES)
    advantages, _ = compute_gdpo_outcome_advantage(
        found.batch["rm_scores"],
        torch.tensor([[1.0, 0.0]] * size),
        np.array(["p"] * size),
        config={"gdpo_reward_keys": ["correctness", "quality_conditioned"]},
        non_tensor_batch=found.non_tensor_batch,
        batch=batch("").batch,
    )
    first = advantages[:, 0].tolist()
    assert first[0] > first[1] > first[2] == first[3] == first[4]


def test_faults_are_neutral_with_the_same_keys(words: Path, base: Path) -> None:
    found = scored(words, base, "naive", "compute_score", "samples:broken_tests")
    assert found.batch["rm_scores"][:, 0].tolist() == pytest.approx([0.5, 0.5, 0.5, 0.0, 0.0])
    assert found.non_tensor_batch["valid"].tolist() == [0, 0, 0, 1, 1]
    assert set(found.meta_info["reward_extra_keys"]) == set(compute_score("", "", "{}", {}, base=str(base)))


def test_tables_may_have_results(base: Path) -> None:
    # Parquet gives arrays, and None for keys of other rows.
    label = {"passed": np.int64(3), "failed": np.int64(0), "required_pass": None, "files": np.array(["app.py"][:0])}
    answer = samples.response(samples.COPY)
    for truth, extra in ((json.dumps({"tests": samples.PASS}), {}), ("text", {"tests": label})):
        assert compute_score("shop", answer, truth, extra, base=str(base))["score"] == pytest.approx(0.9)
