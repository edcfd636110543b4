"""`InteractiveShell.ast_node_interactivity`: the user's choice of values that a cell shows."""

from __future__ import annotations

import ast
import sys

_CHOICES = ("all", "last", "last_expr", "none", "last_expr_or_assign")
_HAS_ITS_OWN_NAMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def chosen() -> str:
    """The user's setting, on the shell or on its class. Unset, a class of the real IPython has a descriptor."""
    own = getattr(sys.modules.get("granary_runner.ipython_shell"), "_shell", None)
    on_shell = getattr(own, "__dict__", {}).get("ast_node_interactivity")
    by_class = getattr(sys.modules.get("IPython.core.interactiveshell"), "InteractiveShell", None)
    for choice in (on_shell, getattr(by_class, "ast_node_interactivity", None)):
        if isinstance(choice, str) and choice in _CHOICES:
            return choice
    return "last_expr"


def apply(choice: str, tree: ast.Module) -> None:
    """Change the tree so that the cell shows its last expression; other expressions show themselves."""
    body = tree.body
    if not body:
        return
    if choice == "all":
        last = body[-1:] if isinstance(body[-1], ast.Expr) else []
        body[:] = [_showing(statement) for statement in body[: len(body) - len(last)]] + last
    elif choice == "last":
        if not isinstance(body[-1], ast.Expr):
            body[-1] = _showing(body[-1])
    elif choice == "last_expr_or_assign":
        _show_assigned(body)
    elif choice == "none" and isinstance(body[-1], ast.Expr):
        body.append(ast.copy_location(ast.Pass(), body[-1]))


def _showing(statement):
    """The statement, changed to show its expressions outside functions and classes."""
    if isinstance(statement, ast.Expr):
        shows = ast.Attribute(ast.Name("__granary__", ast.Load()), "show", ast.Load())
        call = ast.Expr(ast.Call(shows, [statement.value], []))
        return ast.fix_missing_locations(ast.copy_location(call, statement))
    if not isinstance(statement, _HAS_ITS_OWN_NAMES):
        for field in _BODIES:
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                inner[:] = [_showing(one) for one in inner]
    return statement


def _show_assigned(body: list) -> None:
    last = body[-1]
    target = None
    if isinstance(last, ast.Assign):
        target = last.targets[0]
    elif isinstance(last, (ast.AugAssign, ast.AnnAssign)) and last.value is not None:
        target = last.target
    if isinstance(target, ast.Name):
        value = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        body.append(ast.copy_location(ast.Expr(value), last))
