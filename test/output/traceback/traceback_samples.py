"""Tracebacks as the runner sends them, by way of its own code, from whichever Python runs this."""

import importlib
import json
import linecache
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../python"))
errors = importlib.import_module("granary_runner.cells.errors")

CELLS = {
    "own": "def f(x):\n    return 1 / x\n\nf(0)",
    "library": "import json\njson.loads('{')",
    "cause": "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('no a') from error",
    "context": "try:\n    {}['a']\nexcept KeyError:\n    undefined",
    "recursion": "def f(): f()\nf()",
    "mutual": "def f(): g()\ndef g(): f()\nf()",
    "syntax": "x = = 3",
    "long": "raise ValueError('x' * 100000)",
    "lines": "raise ValueError('one\\ntwo\\n\\nthree')",
    "group": (
        "import json\ndef f():\n    json.loads('{')\nfound = []\n"
        "for make in (f, lambda: 1 / 0):\n    try:\n        make()\n    except Exception as error:\n"
        "        found.append(error)\nraise ExceptionGroup('both', found)"
    ),
}


def traceback_of(name: str, code: str) -> list:
    file = "<cell 7>"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    try:
        exec(compile(code + "\n", file, "exec"), {"__name__": "__main__"})
    except BaseException as problem:
        problem.__traceback__ = problem.__traceback__.tb_next if problem.__traceback__ else None
        return errors.describe(problem)[2]
    raise AssertionError(name)


print(json.dumps({name: traceback_of(name, code) for name, code in CELLS.items() if name != "group" or sys.version_info >= (3, 11)}))
