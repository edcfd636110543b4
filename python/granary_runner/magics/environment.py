"""%env: environment variables of the kernel and of the commands it starts."""

from __future__ import annotations

import os
import re

from .call import MagicCall
from .syntax.options import Options
from .syntax.usage_error import UsageError

_SECRET = re.compile(r"key|token|secret|passw|credential|auth(?!or)|signature|cookie", re.IGNORECASE)
_HIDDEN = "<hidden>"


class Environment(dict):
    """All variables; hides values that look secret, because a cell's output is stored and shown."""

    def __repr__(self) -> str:
        return "\n".join(f"{name}={value}" for name, value in sorted(self.items()))


def _env(call: MagicCall) -> object:
    """`%env` lists, `%env NAME` gets, `%env NAME=value` sets."""
    text = call.args
    if text.startswith("-"):
        Options(call, usage="[NAME] or NAME=value")
    if not text:
        return Environment({name: _shown(name, value) for name, value in os.environ.items()})
    name, separator, value = _split(text)
    if separator:
        return _set(name, value)
    if name not in os.environ:
        raise UsageError(f"There is no environment variable {name}. Set it with: %env {name}=value")
    return os.environ[name]


def _set_env(call: MagicCall) -> None:
    """`%set_env NAME value`"""
    if call.args.startswith("-"):
        Options(call, usage="NAME value")
    name, separator, value = _split(call.args)
    if not separator:
        raise UsageError("%set_env needs a name and a value, for example: %set_env MODE=fast")
    _set(name, value)


def _split(text: str) -> tuple[str, str, str]:
    match = re.match(r"([^\s=]+)(\s*=\s*|\s+)?(.*)", text)
    if match is None:
        raise UsageError(f"%env does not understand: {text}")
    return match[1], match[2] or "", match[3]


def _set(name: str, value: str) -> None:
    os.environ[name] = value
    print(f"env: {name}={_shown(name, value)}")


def _shown(name: str, value: str) -> str:
    return _HIDDEN if _SECRET.search(name) else value


LINE = {"env": _env, "set_env": _set_env}
CELL: dict = {}
