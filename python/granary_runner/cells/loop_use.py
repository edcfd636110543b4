"""Whether a cell without `await` must run inside an event loop, because a call in it needs a running one."""

from __future__ import annotations

import ast

_NEED = frozenset(("create_task", "ensure_future", "get_running_loop"))
_MAKE = frozenset(("run", "Runner", "run_until_complete"))


def needs_running_loop(source: str) -> bool:
    """`asyncio.create_task(…)` needs one; next to it, `asyncio.run(…)` would be refused in one."""
    called = _called_from_asyncio(ast.parse(source))
    return not called.isdisjoint(_NEED) and called.isdisjoint(_MAKE)


def _called_from_asyncio(tree: ast.Module) -> set:
    """The names in `asyncio.name(…)`, in `name(…)` where it was imported from asyncio, and `loop.run_until_complete(…)`."""
    modules, names, called = {"asyncio"}, {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.asname or alias.name for alias in node.names if alias.name == "asyncio")
        elif isinstance(node, ast.ImportFrom) and node.module == "asyncio":
            names.update((alias.asname or alias.name, alias.name) for alias in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names[node.name] = None  # the cell's own function, not asyncio's
    for node in _outside_functions(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        if isinstance(function, ast.Name):
            imported_earlier = function.id if function.id in _NEED else None
            called.add(names.get(function.id, imported_earlier))
        elif isinstance(function, ast.Attribute):
            of_asyncio = isinstance(function.value, ast.Name) and function.value.id in modules
            if of_asyncio or function.attr == "run_until_complete":
                called.add(function.attr)
    return called


def _outside_functions(node: ast.AST):
    """The code that runs with the cell: bodies of functions run later."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield child
            yield from _outside_functions(child)
