"""Source of a cell → code objects: all but the last expression, and that expression by itself."""

from __future__ import annotations

import _ast
import sys

from . import main_module

_ONLY_AST = _ast.PyCF_ONLY_AST
_AWAIT = _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_COROUTINE = 0x80
# Calls that may need a running event loop without `await`; `loop_use` checks them.
_MAY_NEED_LOOP = ("create_task", "ensure_future", "get_running_loop")
_OWN_SHELL = "granary_runner.ipython_shell"

source_transformers: list = []  # of the user's; see `user_transformers`
tree_transformers: list = []
_futures = 0  # `from __future__ import …` also applies to later cells, as in any interactive Python


class Compiled:
    """`parts` run in order; `shows` says whether the value of the last one is the cell's result."""

    __slots__ = ("parts", "shows", "awaits")

    def __init__(self, parts: list, shows: bool) -> None:
        self.parts = parts
        self.shows = shows
        self.awaits = False
        for part in parts:
            if part.co_flags & _COROUTINE:
                self.awaits = True


def compile_cell(source: str, file: str, first_line: int = 1) -> Compiled:
    if source.startswith("\ufeff"):
        source = source[1:]
    if source_transformers:
        source = _transformed(source)
    if first_line > 1:
        source = "\n" * (first_line - 1) + source
    has_shell = "IPython.core.interactiveshell" in sys.modules or _OWN_SHELL in sys.modules
    choice = _shown_by_choice() if has_shell else "last_expr"
    # One expression needs no tree, which would double its cost. (A backslash may warn, and must not warn twice; and
    # the code below looks for create_task and similar calls.)
    is_plain = choice == "last_expr" and not tree_transformers
    if is_plain and not source:  # something else is in place of code
        return Compiled([], False)
    if is_plain and "\n" not in source and "\\" not in source and "_" not in source:
        try:
            return Compiled([compile(source, file, "eval", _AWAIT | _futures, True)], True)
        except SyntaxError:
            pass
    source, tree = _read(source, file)
    if tree_transformers:
        tree = _transformed_tree(tree)
    if choice != "last_expr":
        _show_others(choice, tree)
    compiled = _compile_tree(tree, file, source)
    if not compiled.awaits and any(name in source for name in _MAY_NEED_LOOP):
        from .loop_use import needs_running_loop

        compiled.awaits = needs_running_loop(source)
    return compiled


def as_python(source: str, file: str) -> str:
    """The source as Python reads it: unchanged if valid, else without prompts, indentation and magics."""
    return _read(source, file)[0]


def _read(source: str, file: str) -> tuple:
    """The source as valid Python, and its tree; or Python's own error, if there is no valid form."""
    error = None
    if not _begins_like_prompt(source):
        try:
            return source, _parse(source, file)
        except SyntaxError as refused:
            error = refused
    try:
        for text, python in _other_readings(source):
            try:
                tree = _parse(python, file)
            except SyntaxError as refused:
                error = refused
                continue
            if text is not source and main_module.sources.get(file) == source:
                main_module.remember(file, text)  # columns in tracebacks refer to this text
            return python, tree
        if error is None:
            return source, _parse(source, file)
        raise error
    finally:
        error = None  # a frame of its own traceback holds it, so it would never be freed


def _begins_like_prompt(source: str) -> bool:
    """`In [1]: x = 1` is by accident valid Python, an annotation; the user means the prompt."""
    return source.lstrip().startswith("In [")


def _other_readings(source: str):
    """The text, unchanged and without prompts and indentation of pasted code, each with its Python form."""
    from .pasted import readings

    texts = readings(source)
    if not (texts and _begins_like_prompt(source)):
        texts = [source, *texts]
    for text in texts:
        if text is not source:
            yield text, text
        rewritten = _without_magics(text)
        if rewritten is not None:
            yield text, rewritten


def _shown_by_choice() -> str:
    from .interactivity import chosen

    return chosen()


def _show_others(choice: str, tree) -> None:
    from .interactivity import apply

    apply(choice, tree)


def _transformed(source: str) -> str:
    from ..user_transformers import transformed_source

    return transformed_source(source, source_transformers)


def _transformed_tree(tree):
    from ..user_transformers import transformed_tree

    return transformed_tree(tree, tree_transformers)


def forget_futures() -> None:
    """Compile later cells without `from __future__ import …` of earlier ones."""
    global _futures
    _futures = 0


def _compile_tree(tree, file: str, source: str) -> Compiled:
    body = tree.body
    if not body:
        return Compiled([], False)
    if type(body[-1]) is not _ast.Expr:
        return Compiled(_statements(tree, file, source), False)
    last = body.pop()
    parts = _statements(tree, file, source) if body else []
    parts.append(_code(_ast.Expression(last.value), file, "eval", source))
    return Compiled(parts, not _ends_with_semicolon(source, last))


def _statements(tree, file: str, source: str) -> list:
    """One part; with `from __future__ import …` behind `%matplotlib inline`, where Python refuses it, one for each statement."""
    if "__future__" not in source:
        return [_code(tree, file, "exec", source)]
    return [_code(_ast.Module([statement], []), file, "exec", source) for statement in tree.body]


def _parse(source: str, file: str):
    return compile(source, file, "exec", _ONLY_AST | _AWAIT | _futures, True)


def _code(tree, file: str, mode: str, source: str):
    global _futures
    code = compile(tree, file, mode, _AWAIT | _futures, True)
    if "__future__" in source:
        import __future__

        for name in __future__.all_feature_names:
            _futures |= code.co_flags & getattr(__future__, name).compiler_flag
    return code


def _without_magics(source: str) -> "str | None":
    if "!" in source or "%" in source or "?" in source:
        from .transform import rewrite

        return rewrite(source)
    return None


def _ends_with_semicolon(source: str, last) -> bool:
    if ";" not in source:
        return False
    lines = source.encode("utf-8", "surrogatepass").splitlines()
    rest = lines[last.end_lineno - 1][last.end_col_offset :] if last.end_lineno <= len(lines) else b""
    return rest.lstrip(b" \t)\\").startswith(b";")
