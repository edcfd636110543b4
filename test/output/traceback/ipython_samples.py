"""Tracebacks as ipykernel sends them: IPython's, with colours."""

import contextlib
import io
import json

from IPython.core.interactiveshell import InteractiveShell

CELLS = {
    "own": "def f(x):\n    return 1 / x\n\nf(0)",
    "library": "import json\njson.loads('{')",
    "cause": "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('no a') from error",
    "pandas": "import pandas as pd\npd.DataFrame({'a': [1]})['b']",
    "syntax": "x = = 3",
    # IPython needs seconds for a traceback of a thousand frames.
    "mutual": "import sys\nsys.setrecursionlimit(300)\ndef f(): g()\ndef g(): f()\nf()",
}

shell = InteractiveShell.instance()
found = {}
for name, code in CELLS.items():
    shell._showtraceback = lambda _type, _value, lines, name=name: found.__setitem__(name, lines)
    with contextlib.redirect_stdout(io.StringIO()):
        shell.run_cell(code, store_history=True)
print(json.dumps(found))
