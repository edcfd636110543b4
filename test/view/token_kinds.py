"""Prints which characters of a module of the standard library are strings, comments, numbers and keywords."""

import importlib.util
import json
import keyword
import sys
import tokenize

# From Python 3.12 on, an f-string is many tokens.
STARTS = {getattr(tokenize, name, None) for name in ("FSTRING_START", "TSTRING_START")} - {None}
ENDS = {getattr(tokenize, name, None) for name in ("FSTRING_END", "TSTRING_END")} - {None}
KINDS = {tokenize.STRING: "s", tokenize.COMMENT: "c", tokenize.NUMBER: "n"}


def kinds_of(path):
    with tokenize.open(path) as file:
        lines = file.read().splitlines()
    kinds = [["."] * len(line) for line in lines]
    open_strings = []
    with open(path, "rb") as file:
        for token in tokenize.tokenize(file.readline):
            is_keyword = token.type == tokenize.NAME and keyword.iskeyword(token.string)
            kind = "k" if is_keyword else KINDS.get(token.type)
            if kind is not None:
                mark(kinds, token.start, token.end, kind)
            if token.type in STARTS:
                open_strings.append(token.start)
            if token.type in ENDS:
                mark(kinds, open_strings.pop(), token.end, "s")
    return {"lines": lines, "kinds": ["".join(row) for row in kinds]}


def mark(kinds, start, end, kind):
    for row in range(start[0], end[0] + 1):
        first = start[1] if row == start[0] else 0
        last = end[1] if row == end[0] else len(kinds[row - 1])
        kinds[row - 1][first:last] = kind * (last - first)


print(json.dumps([kinds_of(importlib.util.find_spec(name).origin) for name in sys.argv[1:]]))
