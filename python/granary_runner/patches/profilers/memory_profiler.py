"""Also measures functions of cells: it checks that their file exists, and then reads the lines elsewhere."""

from __future__ import annotations

from ...cells.main_module import sources


def apply(memory_profiler) -> None:
    code_map = memory_profiler.CodeMap
    original = code_map.add

    def add(self, code, toplevel_code=None):
        if toplevel_code is not None or code in self or code.co_filename not in sources:
            return original(self, code, toplevel_code)
        from inspect import getsourcelines, iscode

        lines, first = getsourcelines(code)
        self._toplevel.append((code.co_filename, code, range(first, first + len(lines))))
        self[code] = {}
        for inner in filter(iscode, code.co_consts):
            original(self, inner, code)

    code_map.add = add
