"""A resources server for NeMo Gym. `app.py` of your server is two lines:

    from codeslope.nemo_gym import SlopeResourcesServer
    SlopeResourcesServer.run_webserver()

The configuration has `base` (a base, or the URL of a server of slope) and `tests`. A row's `verifier_metadata` has the
other fields of the request. `slope grade serve` has the same routes, without Python.
"""

from __future__ import annotations

from typing import Any

from codeslope import flat
from codeslope._samples import Scorer, shared, text_of

try:
    from nemo_gym.base_resources_server import (
        BaseResourcesServerConfig,
        BaseVerifyRequest,
        BaseVerifyResponse,
        SimpleResourcesServer,
    )
    from pydantic import ConfigDict, Field
except ImportError as error:
    raise ImportError("codeslope.nemo_gym needs NeMo Gym: pip install nemo-gym") from error


class SlopeConfig(BaseResourcesServerConfig):
    """Where edits are graded. Without `base`, rows name their bases."""

    base: str | None = None
    tests: str | None = None
    pack: str | None = None
    deadline_ms: int | None = 10_000


class SlopeVerifyRequest(BaseVerifyRequest):
    """A rollout, with what the data set says of it."""

    model_config = ConfigDict(extra="allow")
    verifier_metadata: dict[str, Any] = Field(default_factory=dict)


class SlopeVerifyResponse(BaseVerifyResponse):
    """The rollout with its reward. Components are also at the top, where metrics are made of them."""

    model_config = ConfigDict(extra="allow")
    reward_components: dict[str, float]


class SlopeResourcesServer(SimpleResourcesServer):
    """Grades the diff in the model's last answer."""

    config: SlopeConfig

    def scorer(self) -> Scorer:
        """The scorer of the configuration."""
        settings = self.config.model_dump(include={"base", "tests", "pack", "deadline_ms"})
        return shared(**settings)

    async def verify(self, body: SlopeVerifyRequest) -> SlopeVerifyResponse:
        """The reward of a rollout; 0.5 with `valid` 0 if it could not be graded."""
        said = [item.model_dump() for item in body.response.output if item.type == "message"]
        numbers = flat(await self.scorer().grade_async(text_of(said), body.verifier_metadata))
        return SlopeVerifyResponse(**{**body.model_dump(), **numbers, "reward_components": numbers})


if __name__ == "__main__":
    SlopeResourcesServer.run_webserver()
