"""Names that the code before the cursor would define: `def f(amount):`, `for row in`, `import json`."""

from __future__ import annotations

from keyword import iskeyword

from .scanning import Token


class WrittenNames:
    def __init__(self) -> None:
        self.names: set = set()
        self.modules: dict = {}  # the module of each name, such as `json` in `import json`

    def add(self, line: "list[Token]") -> None:
        """The tokens of one logical line."""
        words = [token.text for token in line]
        names = {at for at, token in enumerate(line) if token.kind == "name"}
        for at in names:
            before = words[at - 1] if at else ""
            if before in ("def", "class", "as") or words[at + 1 : at + 2] == [":="]:
                self.names.add(words[at])
        if 0 in names and words[1:2] == [":"] and not iskeyword(words[0]):
            self.names.add(words[0])
        if "import" in words:
            self._add_imports(words)
        elif "def" in words[:2]:
            self._add_listed(words, names, words.index("def") + 2, len(words))
        else:
            if "for" in words and "in" in words[words.index("for") :]:  # a loop, or a comprehension in an assignment
                self._add_listed(words, names, words.index("for"), words.index("in", words.index("for")))
            start = -1
            for end in _assignments(words):
                self._add_listed(words, names, start, end)
                start = end

    def _add_listed(self, words: "list[str]", names: set, start: int, end: int) -> None:
        """Names after a comma, a star or the beginning, also in brackets of no call and no index."""
        for at in range(start + 1, end):
            before = at - 1
            while before > start + 1 and words[before] in ("(", "["):
                before -= 1
            if at in names and (before <= start or words[before] in (",", "*", "(", "[")):
                self.names.add(words[at])

    def _add_imports(self, words: "list[str]") -> None:
        at = words.index("import")
        package = "".join(words[words.index("from") + 1 : at]) + "." if "from" in words[:at] else ""
        for part in " ".join(word for word in words[at + 1 :] if word not in ("(", ")")).split(" , "):
            module, _, name = part.partition(" as ")
            module = module.replace(" ", "")
            first = name.strip() or (module if package else module.partition(".")[0])
            if first.isidentifier():
                self.names.add(first)
                self.modules[first] = package + (module if name or package else first)


def _assignments(words: "list[str]") -> "list[int]":
    """The position of each `=` outside brackets."""
    depth = 0
    found = []
    for at, word in enumerate(words):
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        if word == "=" and depth == 0:
            found.append(at)
    return found
