"""The functions that `transform` calls in a cell: `__granary__.line(...)`, `.system(...)` and so on.

Each function finds the user's frame by itself, so that `{name}` in a command and code under `%time` see local names.
"""

from __future__ import annotations

__all__ = ["line", "cell", "misplaced_cell_magic", "system", "capture", "help", "show"]


def line(name: str, args: str) -> object:
    """`%name args`"""
    from .call import MagicCall
    from .table import find_line_magic

    return find_line_magic(name)(MagicCall(name, args))


def cell(name: str, args: str, body: str, first_line: int) -> object:
    """`%%name args`, and the lines below it."""
    from .call import MagicCall
    from .table import find_cell_magic

    return find_cell_magic(name)(MagicCall(name, args, body, first_line))


def misplaced_cell_magic(name: str) -> None:
    from .syntax.usage_error import UsageError

    raise UsageError(
        f"%%{name} must be on the first line of its cell. Nothing was run: "
        "put the lines before it into a separate cell."
    )


def system(command: str) -> None:
    """`!command`: its output is part of the cell's output."""
    from .. import shell
    from ..cells import execute
    from .call import user_namespace
    from .syntax.expand import expand

    execute.namespace()["_exit_code"] = shell.run(expand(command, user_namespace()))


def capture(command: str) -> object:
    """`x = !command`: the printed lines."""
    from .. import shell
    from ..cells import execute
    from .call import user_namespace
    from .syntax.expand import expand

    lines = shell.capture(expand(command, user_namespace()))
    execute.namespace()["_exit_code"] = lines.exit_code
    return lines


def show(value: object) -> None:
    """A value in the middle of a cell, for `ast_node_interactivity`."""
    from ..cells import execute

    execute.show_value(value)


def help(expression: str, detail: int) -> None:
    """`obj?` and, with detail 1, `obj??`; `dict.fr*?` lists names; a lone `?` shows an overview."""
    from ..questions.inspection import describe
    from .call import user_namespace

    if "*" in expression:
        from .syntax.name_search import fitting_names

        text = "\n".join(fitting_names(user_namespace(), expression)) or f"No name fits `{expression}`."
    else:
        text = describe(user_namespace(), expression, detail) if expression else _OVERVIEW
    show_page(text or f"Object `{expression}` not found.")


def show_page(text: str) -> None:
    """Show a text for reading now: notebooks do not store it, as Jupyter does not store its pager."""
    from ..wire import emit

    emit.display({"text/plain": text}, {}, page=True)


_OVERVIEW = """\
name?     documentation of a name
name??    documentation and source
%lsmagic  all magics
help(x)   Python's own help"""
