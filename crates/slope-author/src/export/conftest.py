"""What the published contract asks of a suite: the options, and how the program is started."""

import os
import pathlib
import shlex

import pytest


def pytest_addoption(parser):
    parser.addoption("--entrypoint", action="store", required=True)
    parser.addoption("--checkpoint", action="store", required=True)


@pytest.fixture(scope="session")
def entrypoint_argv(request):
    """The program's command, so that it can be started in any folder."""
    home = pathlib.Path.cwd()
    words = shlex.split(request.config.getoption("--entrypoint"))
    argv = [str(home / word) if os.path.exists(word) else word for word in words]
    return [*argv[:2], "--project", str(home), *argv[2:]] if argv[:2] == ["uv", "run"] else argv


@pytest.fixture(scope="session")
def checkpoint_name(request):
    return request.config.getoption("--checkpoint")
