"""%store: keeps variables for later sessions.

Each variable is one pickle file in Granary's folder, readable by its owner only. A pickle runs code when it is
read, so nothing is read before %store -r asks for it.
"""

from __future__ import annotations

import os
import pickle

from ...cells import execute
from ..call import MagicCall
from ..syntax.options import FLAG, Options
from ..syntax.usage_error import UsageError

_OPTIONS = {"-r": FLAG, "-d": FLAG, "-z": FLAG}
_USAGE = "[-r] [-d] [-z] [NAME …], or NAME > FILE"
_SUFFIX = ".pickle"


def _store(call: MagicCall) -> None:
    """Keep variables for later sessions: `%store x y`; `%store -r [x]` brings back all or some, `%store` lists them.

    `%store -d x` forgets one, `%store -z` all. `%store x > file.txt` writes a value as text, `>>` appends it.
    """
    if ">" in call.args and not call.args.startswith("-"):
        _write_text(call)
        return
    options = Options(call, _OPTIONS, _USAGE)
    if len(options.given) > 1:
        raise options.error("%store takes one of -r, -d and -z.")
    if "-z" in options:
        options.rest = _stored()
    if "-d" in options or "-z" in options:
        if not options.rest and "-d" in options:
            raise options.error("%store -d needs the name of a variable.")
        for name in options.rest:
            _forget(name)
    elif "-r" in options:
        for name in options.rest or _stored():
            execute.namespace()[name] = _read(name)
    elif options.rest:
        for name in options.rest:
            _keep(name, call.namespace)
    else:
        _list()


def _list() -> None:
    names = _stored()
    print("Stored variables: " + ", ".join(names) if names else "Stored variables: none")


def _keep(name: str, namespace: dict) -> None:
    if name not in namespace:
        raise UsageError(f"%store: there is no variable {name}.")
    value = namespace[name]
    if getattr(value, "__module__", None) == "__main__" or type(value).__module__ == "__main__":
        raise UsageError(f"%store: {name} is defined in a cell, and a later session would not find its definition. Put it into a file.")
    try:
        data = pickle.dumps(value)
    except Exception as problem:
        raise UsageError(f"%store: {name} cannot be stored ({type(problem).__name__}: {problem}).") from None
    path = _path(name)
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    os.chmod(folder, 0o700)
    temporary = "%s.%d" % (path, os.getpid())
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
    os.replace(temporary, path)
    print(f"Stored '{name}' ({type(value).__name__})")


def _read(name: str):
    try:
        with open(_path(name), "rb") as file:
            return pickle.load(file)
    except FileNotFoundError:
        raise UsageError(f"%store: no variable {name} is stored. %store lists those that are.") from None


def _forget(name: str) -> None:
    try:
        os.remove(_path(name))
    except FileNotFoundError:
        raise UsageError(f"%store: no variable {name} is stored. %store lists those that are.") from None


def _stored() -> list:
    try:
        files = os.listdir(_folder())
    except OSError:
        return []
    return sorted(name[: -len(_SUFFIX)] for name in files if name.endswith(_SUFFIX))


def _write_text(call: MagicCall) -> None:
    before, _, target = call.args.partition(">")
    mode = "a" if target.startswith(">") else "w"
    name, path = before.strip(), os.path.expanduser(target.lstrip(">").strip())
    if name not in call.namespace or not path:
        raise UsageError(f"%store: write the name of a variable before the sign and a file behind it. Usage: %store {_USAGE}")
    value = call.namespace[name]
    text = value if isinstance(value, str) else _as_text(value)
    with open(path, mode, encoding="utf-8") as file:
        file.write(text if text.endswith("\n") else text + "\n")
    print(f"{'Appending' if mode == 'a' else 'Writing'} '{name}' ({type(value).__name__}) to file '{path}'.")


def _as_text(value) -> str:
    from ...pretty import pretty

    return pretty(value)


def _path(name: str) -> str:
    if not name.isidentifier():
        raise UsageError(f"%store: {name} is no name of a variable.")
    return os.path.join(_folder(), name + _SUFFIX)


def _folder() -> str:
    home = os.environ.get("GRANARY_HOME") or os.path.join("~", ".granary")
    return os.path.join(os.path.abspath(os.path.expanduser(home)), "stored-variables")


LINE = {"store": _store}
CELL: dict = {}
