"""The effects of an installation on a running Python."""

from __future__ import annotations

import importlib
import os
import site
import sys


class BeforeInstallation:
    """Records the files of imported packages, and the `.pth` files."""

    def __init__(self) -> None:
        self._files = {name: _identity(file) for name, file in _imported_packages().items()}
        self._path_files = _path_files()

    def bring_up_to_date(self) -> None:
        """Make installed packages importable, and name those that need a restart."""
        _use_new_user_folder()
        for folder, name in sorted(_path_files() - self._path_files):
            site.addpackage(folder, name, None)  # makes an editable install visible
        importlib.invalidate_caches()
        now = {name: _identity(file) for name, file in _imported_packages().items()}
        changed = [name for name, before in self._files.items() if now.get(name, before) != before]
        if changed:
            names = ", ".join(sorted(changed))
            print(f"Note: {names} had been imported before; restart the kernel to use what is installed now.")


def _imported_packages() -> dict[str, str]:
    """Top-level modules with a file; a package's file is its `__init__.py`, which every installation rewrites."""
    found = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) if "." not in name and name != "__main__" else None
        if isinstance(file, str):
            found[name] = file
    return found


def _identity(file: str) -> tuple | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _path_files() -> set[tuple[str, str]]:
    found = set()
    for folder in sys.path:
        try:
            names = os.listdir(folder) if folder else []
        except OSError:
            continue
        found.update((folder, name) for name in names if name.endswith(".pth"))
    return found


def _use_new_user_folder() -> None:
    """The first `pip install --user` creates a folder that did not exist when Python started."""
    folder = site.getusersitepackages() if site.ENABLE_USER_SITE else None
    if folder and folder not in sys.path and os.path.isdir(folder):
        site.addsitedir(folder)
