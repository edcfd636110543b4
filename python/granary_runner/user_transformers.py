"""Transformers registered by the user's code or a library: of a cell's lines, and of its syntax tree."""

from __future__ import annotations

import ast


def transformed_source(source: str, transformers: list) -> str:
    """Each takes and returns a list of lines."""
    lines = source.splitlines(True)
    for transform in transformers:
        lines = transform(lines)
    return "".join(lines)


def transformed_tree(tree, transformers: list):
    """Each has `visit(tree)`. One that fails is removed, as in IPython; one that raises InputRejected stops the cell before it runs."""
    for transformer in list(transformers):
        try:
            tree = transformer.visit(tree)
        except Exception as error:
            if any(kind.__name__ == "InputRejected" for kind in type(error).__mro__):
                raise
            import warnings

            warnings.warn("AST transformer %r threw an error. It will be unregistered." % (transformer,), stacklevel=2)
            transformers.remove(transformer)
    return ast.fix_missing_locations(tree)
