"""Rewards for OpenRLHF: the path of this file is a reward function.

    --reward.remote_url "$(python -c 'import codeslope.openrlhf as m; print(m.__file__)')"

In the environment, `CODESLOPE_BASE` or `CODESLOPE_URL` names the base or a server, and `CODESLOPE_TESTS` is the import
path of a function that runs tests. `--reward.remote_url` can also name a server directly: `http://HOST:8917/rm/lists`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codeslope import flat
from codeslope._samples import shared


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any]) -> dict[str, Any]:
    """Rewards to learn from, scores to filter by, and the other numbers for logs, as tensors.

    OpenRLHF cannot leave a sample out. One that could not be graded has the reward 0.5 and `valid` 0.
    """
    import torch

    # A query is the prompt and the response.
    responses = [query.removeprefix(prompt) for query, prompt in zip(queries, prompts, strict=True)]
    grades = shared().grade_all(responses, labels)
    columns = {key: [flat(grade)[key] for grade in grades] for key in flat(grades[0])}
    tensors = {key: torch.tensor(column) for key, column in columns.items()}
    return {"rewards": tensors.pop("reward"), "scores": tensors.pop("score"), "extra_logs": tensors}
