"""Shell patterns for paths: `*` and `?` stay within a folder, `**` goes through any number, `{a,b}` is a choice."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"(?P<deep>(?<![^/])\*\*/)|(?P<any>\*\*)|(?P<some>\*)|(?P<one>\?)"
    r"|(?P<set>\[!?\]?[^\]]*\])|(?P<punctuation>[{},])"
)


def glob_pattern(pattern: str) -> "re.Pattern[str]":
    while pattern.startswith("./"):
        pattern = pattern[2:]
    parts, position, depth = [], 0, 0
    for token in _TOKEN.finditer(pattern):
        parts.append(re.escape(pattern[position : token.start()]))
        text, depth = _translated(token, depth)
        parts.append(text)
        position = token.end()
    if depth:  # an unclosed brace is literal
        return glob_pattern(pattern.replace("{", "[{]").replace("}", "[}]"))
    return re.compile("".join(parts) + re.escape(pattern[position:]), re.DOTALL)


def _translated(token: "re.Match[str]", depth: int) -> "tuple[str, int]":
    text = token.group()
    if token.lastgroup == "set":
        inner = text[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return "[" + ("^/" + inner[1:] if inner.startswith("!") else inner) + "]", depth
    if token.lastgroup != "punctuation":
        return {"deep": "(?:.*/)?", "any": ".*", "some": "[^/]*", "one": "[^/]"}[token.lastgroup], depth
    if text == "{":
        return "(?:", depth + 1
    if depth == 0:
        return re.escape(text), 0
    return (")", depth - 1) if text == "}" else ("|", depth)
