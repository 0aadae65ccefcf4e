"""What the Python tests need to find: the command that was built, and recorded data where it is at hand."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def build_folder() -> Path:
    """The build folder: HARNESSG_BUILD, else build/ of this tree."""
    return Path(os.environ.get("HARNESSG_BUILD", ROOT / "build"))


@pytest.fixture(scope="session")
def harnessg_command(build_folder: Path) -> Path:
    """The command `harnessg`."""
    command = build_folder / "harnessg"
    assert command.is_file(), f"{command} is not there; run `make build`"
    return command


@pytest.fixture(scope="session")
def sample() -> Path:
    """data/sample, the small corpus that comes with the project."""
    return ROOT / "data" / "sample"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Recorded data beside the project: HARNESSG_SHARED, else ../shared. The test is skipped where it is absent."""
    folder = Path(os.environ.get("HARNESSG_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no recorded data: {folder} is absent and HARNESSG_SHARED does not name another folder")
    return folder
