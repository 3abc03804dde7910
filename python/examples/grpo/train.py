"""Runs of an arm and a seed. `train.py OUT ARM-SEED...` writes `OUT/runs/ARM-SEED.jsonl`, one line for each step."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import time
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, PrinterCallback
from transformers.utils.logging import disable_progress_bar
from trl import GRPOConfig, GRPOTrainer

from arms import scorer
from edits import LETTERS, PARTS, tasks
from sandbox import Sandbox


def tokenizer() -> PreTrainedTokenizerFast:
    """A word for each task and each letter."""
    words = ["<pad>", "<eos>", "<unk>", *LETTERS, *tasks()]
    inner = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.decoder = decoders.Fuse()
    special = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=inner, **special)


def start_model(out: Path, seed: int, plan: dict[str, Any], words: PreTrainedTokenizerFast) -> Path:
    """The folder of the model with which all arms of a seed start. It is made if it is missing."""
    folder = out / "models" / str(seed)
    if not folder.exists():
        torch.manual_seed(seed)
        ids = {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": None}
        sizes = {"vocab_size": len(words), "max_position_embeddings": 16, **plan["model"]}
        untrained = LlamaForCausalLM(LlamaConfig(**sizes, **ids))
        learn_form(untrained, words, plan["form"], seed)
        partial = out / "models" / f"{seed}.{os.getpid()}"
        untrained.save_pretrained(partial)
        # Another process may have made the same one.
        with suppress(OSError):
            partial.rename(folder)
        shutil.rmtree(partial, ignore_errors=True)
    return folder


def learn_form(
    untrained: LlamaForCausalLM, words: PreTrainedTokenizerFast, settings: dict[str, Any], seed: int
) -> None:
    """Teaches the form of answers: eight letters by chance, or at times none. All edits are equally likely."""
    chance = random.Random(seed)
    optimiser = torch.optim.AdamW(untrained.parameters(), lr=settings["learning_rate"])
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.05, settings["steps"])
    for _ in range(settings["steps"]):
        rows = [example(chance, settings["empty"]) for _ in range(settings["batch"])]
        ids = torch.tensor([words.convert_tokens_to_ids(row) for row in rows])
        labels = ids.masked_fill(ids == words.pad_token_id, -100)
        labels[:, 0] = -100
        untrained(input_ids=ids, labels=labels).loss.backward()
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()


def example(chance: random.Random, empty: float) -> list[str]:
    """A task and an answer by chance."""
    answer = [] if chance.random() < empty else chance.choices(LETTERS, k=len(PARTS))
    return [chance.choice(list(tasks())), *answer, "<eos>", *["<pad>"] * (len(PARTS) - len(answer))]


class Progress:
    """Prints a line now and then."""

    def __init__(self, name: str, steps: int) -> None:
        self.name, self.steps, self.done = name, steps, 0

    def next(self, rewards: Sequence[float], seconds: float) -> None:
        self.done += 1
        if self.done % 25 == 0 or self.done == self.steps:
            reward = sum(rewards) / len(rewards)
            print(f"{self.name}: step {self.done} of {self.steps}, reward {reward:.2f}, {seconds:.0f} s", flush=True)


def train(out: Path, arm: str, seed: int, plan: dict[str, Any], log: Path) -> None:
    """Trains a model, and logs the answers and rewards of each step."""
    torch.set_num_threads(1)
    words, settings = tokenizer(), plan["training"]
    score = scorer(arm, Sandbox(out / "tests.sqlite"), plan["lines"]["half"])
    start = start_model(out, seed, plan, words)
    started, report = time.monotonic(), Progress(f"{arm} {seed}", settings["steps"])

    with log.open("w", encoding="utf-8") as file:

        def graded(prompts: Sequence[str], completions: Sequence[str], **columns: Any) -> list[float]:
            rewards: list[float] = score(list(zip(prompts, completions, strict=True)))
            seconds = round(time.monotonic() - started, 1)
            line = {"names": prompts, "answers": completions, "rewards": rewards, "seconds": seconds}
            file.write(json.dumps(line) + "\n")
            file.flush()
            report.next(rewards, seconds)
            return rewards

        trainer = GRPOTrainer(
            str(start),
            graded,
            args=GRPOConfig(
                output_dir=str(out / "trainer"),
                per_device_train_batch_size=settings["attempts"] * len(tasks()),
                num_generations=settings["attempts"],
                max_completion_length=len(PARTS) + 1,
                max_steps=settings["steps"],
                learning_rate=settings["learning_rate"],
                lr_scheduler_type="constant_with_warmup",
                warmup_steps=settings["warmup"],
                temperature=settings["temperature"],
                scale_rewards="batch",
                beta=settings["beta"],
                # The form of the paper on GRPO. It keeps answers from becoming all the same.
                use_bias_correction_kl=False,
                logging_strategy="no",
                seed=seed,
                use_cpu=True,
                bf16=False,
                report_to=[],
                save_strategy="no",
                disable_tqdm=True,
            ),
            train_dataset=Dataset.from_list([{"prompt": name} for name in tasks()]),
            processing_class=words,
        )
        trainer.remove_callback(PrinterCallback)
        parameters = sum(each.numel() for each in trainer.model.parameters())
        print(f"{arm} {seed}: {parameters:,} parameters", flush=True)
        trainer.train()


def main() -> None:
    out = Path(sys.argv[1])
    plan = tomllib.loads((out / "plan.toml").read_text(encoding="utf-8"))
    (out / "runs").mkdir(parents=True, exist_ok=True)
    disable_progress_bar()
    for name in sys.argv[2:]:
        arm, _, seed = name.partition("-")
        partial = out / "runs" / f"{name}.partial"
        train(out, arm, int(seed), plan, partial)
        partial.rename(out / "runs" / f"{name}.jsonl")


if __name__ == "__main__":
    main()
