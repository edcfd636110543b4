"""Files of cells, for code that needs one: `__main__.__file__` for multiprocessing's spawn and for inspect looking for a
class, and a real file with a cell's source for libraries that open it."""

from __future__ import annotations

import os

from ..wire import replay_folder
from .main_module import sources


def answer(caller) -> "str | None":
    module = caller.f_globals.get("__name__", "")
    if module.startswith("multiprocessing."):
        return _replay_file()
    if module == "inspect" and caller.f_code.co_name == "getfile":
        subject = caller.f_locals.get("object")
        if isinstance(subject, type):
            return _cell_of_class(subject)
    return None


def written(file: str) -> str:
    """The path of a file with the cell's source, in the kernel's own folder. Its name is the same in every run."""
    name = "".join(letter if letter.isalnum() else "_" for letter in file.strip("<>")) + ".py"
    path = os.path.join(replay_folder.path(), name)
    source = sources[file]
    if _written.get(path) is not source or not os.path.exists(path):
        with open(path, "w", encoding="utf-8", errors="surrogatepass", newline="") as opened:
            opened.write(source)
        _written[path] = source
    return path


_written: dict = {}  # path -> its content


def _cell_of_class(subject: type) -> "str | None":
    for member in vars(subject).values():
        code = getattr(getattr(member, "__func__", member), "__code__", None)
        if code is not None and code.co_filename in sources:
            return code.co_filename
    heading = "class " + subject.__name__
    for file in reversed(list(sources)):
        if heading in sources[file]:
            return file
    return None


def _replay_file() -> str:
    """A script that gives a spawned child the imports, definitions and constants of the cells so far."""
    statements = []
    for file, source in sources.items():
        statements += [(file, text) for text in _definitions(source)]
    path = os.path.join(replay_folder.path(), "cells.py")
    with open(path + ".new", "w", encoding="utf-8") as script:
        script.write(
            "for _file, _source in %r:\n"
            "    try:\n"
            "        exec(compile(_source, _file, 'exec', dont_inherit=True), globals())\n"
            "    except Exception:\n"
            "        pass  # it needed a value that only the parent has\n"
            "globals().pop('_file', None), globals().pop('_source', None)\n" % (statements,)
        )
    os.replace(path + ".new", path)
    return path


def _definitions(source: str) -> "list[str]":
    import ast

    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []  # magics are not repeated
    lines = source.split("\n")
    found = []
    for node in tree.body:
        if not _is_definition(node):
            continue
        first = min([node.lineno] + [one.lineno for one in getattr(node, "decorator_list", ())])
        shares_its_line = first == node.lineno and node.lineno == node.end_lineno  # a = 1; b = work()
        text = ast.get_source_segment(source, node) if shares_its_line else "\n".join(lines[first - 1 : node.end_lineno])
        found.append("\n" * (first - 1) + text)
    return found


def _is_definition(node) -> bool:
    import ast

    if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return True
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        try:
            ast.literal_eval(node.value)
        except ValueError:
            return False
        return True
    return False
