"""What holds for every capture in a test: no network, and folders of tiny models to open."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import pytest

from tests.capture.tiny_folders import bert_folder, causal_folder, pair_folder


class NetworkUsed(AssertionError):
    """A test reached for the network."""


@pytest.fixture(autouse=True)
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every connection and every look-up of a name fail."""

    def refuse(*_arguments: object, **_named: object) -> None:
        raise NetworkUsed("a capture has no business with the network")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)


@pytest.fixture(scope="session")
def made_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one folder for each tiny model; for reading."""
    folder = tmp_path_factory.mktemp("models")
    bert_folder(folder / "bert")
    causal_folder(folder / "causal")
    pair_folder(folder / "pair")
    return folder


@pytest.fixture
def folder(made_folders: Path, tmp_path: Path) -> Path:
    """A copy of the folder of a tiny BERT, to spoil; its name is no ASCII."""
    return Path(shutil.copytree(made_folders / "bert", tmp_path / "模型 één"))
