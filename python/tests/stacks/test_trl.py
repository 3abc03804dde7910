"""TRL: real runs of `GRPOTrainer` on the CPU with a tiny model. Each token of the model is a whole response."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from codeslope.trl import async_reward, reward, rewards

import samples

RESPONSES = [*map(samples.response, (samples.GOOD, samples.COPY, samples.WRONG, samples.UNFIT)), "I cannot."]
CHAT = "{% for m in messages %}{{ m['content'] }}{% endfor %}"


def tokenizer() -> PreTrainedTokenizerFast:
    words = ["<pad>", "<eos>", "<unk>", "tidy", *RESPONSES]
    inner = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.decoder = decoders.Fuse()
    special = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=inner, chat_template=CHAT, **special)


def model(words: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    ids = {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": None}
    return LlamaForCausalLM(LlamaConfig(vocab_size=len(words), max_position_embeddings=16, **sizes, **ids))


def train(folder: Path, functions: Any, *, chat: bool = False, steps: int = 3, **settings: Any) -> list[dict[str, Any]]:
    words = tokenizer()
    prompt = [{"role": "user", "content": "tidy"}] if chat else "tidy"
    config = GRPOConfig(
        output_dir=str(folder),
        per_device_train_batch_size=16,
        num_generations=8,
        max_completion_length=1,
        max_steps=steps,
        learning_rate=1e-2,
        logging_steps=1,
        use_cpu=True,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
        **settings,
    )
    # A column with other keys in some rows, as tables have them.
    rows = Dataset.from_list([{"prompt": prompt, "task": {"kind": "bugfix", "group": None}}] * 8)
    trainer = GRPOTrainer(model(words), functions, args=config, train_dataset=rows, processing_class=words)
    trainer.train()
    return [entry for entry in trainer.state.log_history if "reward" in entry]


def test_reward_reaches_the_trainer(tmp_path: Path) -> None:
    logs = train(tmp_path, reward(samples.BASE, tests=samples.run_tests), steps=5, scale_rewards="batch")
    assert len(logs) == 5
    for entry in logs:
        assert entry["rewards/slope/mean"] == pytest.approx(entry["slope/reward"], abs=1e-6)
        assert entry["slope/valid"] == 1.0
    assert any(entry["slope/p_dup"] > 0 for entry in logs)
    assert any(0 < entry["reward"] < 1 for entry in logs)


def test_async_reward_of_conversations(tmp_path: Path) -> None:
    async def run_tests(edit: str, row: Any) -> dict[str, int]:
        return samples.run_tests(edit, row)

    logs = train(tmp_path, async_reward(samples.BASE, tests=run_tests), chat=True)
    assert any(0 < entry["rewards/slope/mean"] < 1 for entry in logs)


def test_components_are_normalised_apart(tmp_path: Path) -> None:
    functions = rewards(samples.BASE, tests=samples.run_tests)
    logs = train(tmp_path, functions, multi_objective_aggregation="normalize_then_sum")
    for entry in logs:
        parts = entry["rewards/slope_correctness/mean"], entry["rewards/slope_quality_conditioned/mean"]
        assert parts[0] >= parts[1] >= 0
        assert entry["reward"] == pytest.approx(sum(parts), abs=1e-5)


def test_faults_leave_samples_out(tmp_path: Path) -> None:
    calls: list[str] = []

    def sometimes(edit: str, row: Any) -> dict[str, int]:
        calls.append(edit)
        return samples.broken_tests(edit, row) if len(calls) % 3 == 0 else samples.run_tests(edit, row)

    logs = train(tmp_path, reward(samples.BASE, tests=sometimes, workers=1), steps=4)
    assert any(entry["slope/valid"] < 1 for entry in logs)
    assert all(math.isfinite(entry["loss"]) for entry in logs)
