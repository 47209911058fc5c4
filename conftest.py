"""Examples that write files do so in a folder of their own."""

import pytest


@pytest.fixture(autouse=True)
def folder_of_its_own(request: pytest.FixtureRequest) -> None:
    """Run an example of a docstring in an empty folder."""
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))
