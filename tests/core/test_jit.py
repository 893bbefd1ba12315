"""Where compiled kernels are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.jit import kernel

ROOT = Path(__file__).parents[2]


def chosen(**variables: str) -> str:
    """The folder that a fresh process chooses under these variables."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME")}
    done = subprocess.run(
        [sys.executable, "-c", "from core.jit import CACHE; print(CACHE)"],
        cwd=ROOT,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_operators_choice_comes_first(tmp_path: Path) -> None:
    """NUMBA_CACHE_DIR, then the user's cache."""
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "xdg")}
    assert chosen(NUMBA_CACHE_DIR=str(tmp_path / "mine"), **home).startswith(str(tmp_path / "mine"))
    assert chosen(**home).startswith(str(tmp_path / "xdg" / "renju-bot"))


def test_without_a_home_temporary_files_do(tmp_path: Path) -> None:
    """A service user often has none that can be written."""
    assert chosen(HOME="/proc/none", TMPDIR=str(tmp_path)).startswith(str(tmp_path / "renju-bot-"))


def test_a_folder_that_others_can_write_is_not_trusted(tmp_path: Path) -> None:
    """Compiled code is loaded from there: whoever makes the folder first must not choose it."""
    planted = tmp_path / f"renju-bot-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    assert chosen(HOME="/proc/none", TMPDIR=str(tmp_path)) == "None"


def test_what_shapes_the_code_names_the_folder(tmp_path: Path) -> None:
    """Code for another processor is never read."""
    where = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert chosen(**where) == chosen(**where)
    assert chosen(**where) != chosen(NUMBA_CPU_NAME="generic", **where)


@pytest.mark.parametrize("signature", [None, "int64(int64[::1])"])
def test_a_kernel_computes_what_its_python_does(signature: str | None) -> None:
    """With and without an explicit signature."""

    def total(numbers: np.ndarray) -> int:  # type: ignore[type-arg]
        added = 0
        for number in numbers:
            added += number
        return added

    compiled = kernel(total) if signature is None else kernel(signature)(total)
    numbers = np.arange(10, dtype=np.int64)
    assert compiled(numbers) == total(numbers) == 45
