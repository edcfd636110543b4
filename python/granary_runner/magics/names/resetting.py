"""%reset, %reset_selective and %xdel: delete names, results, or other named parts, and nothing else."""

from __future__ import annotations

import gc
import sys

from ...cells import execute
from ..call import MagicCall
from ..files import folders
from ..syntax.options import FLAG, Options

_OPTIONS = {"-f": FLAG, "-s": FLAG, "--aggressive": FLAG}


def _reset(call: MagicCall) -> None:
    """Delete every name that you defined, without asking: `%reset [-f] [-s] [--aggressive] [in] [out] [dhist] [array]`.

    -f has no effect. -s keeps results (`_`, `_3`) and names with an underscore. --aggressive also forgets
    imported modules that are neither Python's own nor installed, so that the next import reads them again.
    With `in`, deletes only the sources in `In`; with `out`, only results; with `array`, only numpy arrays; with
    `dhist`, only the folder of `%cd -`.
    """
    options = Options(call, _OPTIONS, "[-f] [-s] [--aggressive] [in] [out] [dhist] [array]")
    targets = [word.lower() for word in options.rest]
    unknown = [word for word in options.rest if word.lower() not in _TARGETS]
    if unknown:
        raise options.error(f"%reset does not know {unknown[0]}; nothing was forgotten.")
    if targets and "--aggressive" in options:
        raise options.error(f"%reset --aggressive forgets everything, not only {targets[0]}; nothing was forgotten.")
    if "-s" in options:
        _forget(name for name in execute.namespace() if not name.startswith("_"))
    elif not targets:
        _forget(name for name in execute.namespace() if not _is_pythons_own(name))
        execute.forget_results()
        _forget_last_result()
    if "--aggressive" in options:
        _forget_modules()
    for target in targets:
        _TARGETS[target]()
    gc.collect()


def _reset_selective(call: MagicCall) -> None:
    """Delete names that a regular expression matches, without asking: `%reset_selective [-f] PATTERN`."""
    import re

    options = Options(call, {"-f": FLAG}, "[-f] PATTERN")
    if len(options.rest) != 1:
        raise options.error("%reset_selective needs one pattern.")
    try:
        pattern = re.compile(options.rest[0])
    except re.error as problem:
        raise options.error(f"%reset_selective: {problem} in {options.rest[0]}.") from None
    _forget(name for name in execute.namespace() if pattern.search(name) and not _is_pythons_own(name))


def _xdel(call: MagicCall) -> None:
    """Delete a name, and all other references of the session to its value: `%xdel [-n] name`.

    These are other names, results, and the namespaces of scripts that %run ran. -n deletes only the name.
    """
    options = Options(call, {"-n": FLAG}, "[-n] name")
    variables = execute.namespace()
    if len(options.rest) != 1 or options.rest[0] not in variables or _is_pythons_own(options.rest[0]):
        raise options.error("%xdel needs one name that you have defined.")
    value = variables.pop(options.rest[0])
    if "-n" not in options:
        for names in [variables, *_namespaces_of_scripts(value)]:
            for name in [name for name, other in names.items() if other is value]:
                del names[name]
        execute.forget_result(value)
        _forget_last_result()
    del value
    gc.collect()


def _namespaces_of_scripts(value: object) -> list:
    """Functions that a script of %run defined keep its namespace alive."""
    holders = (holder for holder in gc.get_referrers(value) if isinstance(holder, dict))
    return [holder for holder in holders if holder.get("__name__") == "__main__" and holder is not execute.namespace()]


def _forget_last_result() -> None:
    shell = getattr(sys.modules.get("granary_runner.ipython_shell"), "_shell", None)
    if shell is not None:
        shell.last_execution_result = None


def _is_pythons_own(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _forget(names) -> None:
    variables = execute.namespace()
    for name in list(names):
        variables.pop(name, None)


def _forget_modules() -> None:
    from ..reloading.autoreload import is_users

    for name, module in list(sys.modules.items()):
        if is_users(module):
            del sys.modules[name]


def _out() -> None:
    print("Flushing output cache (%d entries)" % execute.forget_results())


def _in() -> None:
    print("Flushing input history (%d entries)" % execute.forget_inputs())


def _dhist() -> None:
    print("Flushing directory history")
    folders.forget_previous()


def _array() -> None:
    arrays = getattr(sys.modules.get("numpy"), "ndarray", ())  # without numpy there are none
    _forget(name for name, value in execute.namespace().items() if isinstance(value, arrays))


_TARGETS = {"in": _in, "out": _out, "dhist": _dhist, "array": _array}
LINE = {"reset": _reset, "reset_selective": _reset_selective, "xdel": _xdel}
CELL: dict = {}
