"""The options of a magic. Refuses an unknown one before the magic does anything."""

from __future__ import annotations

from ..call import MagicCall
from .usage_error import UsageError

FLAG, VALUE = "", "VALUE"


class Options:
    """The arguments of a magic: the options by name, and the rest in order.

    `known` says for each option whether it takes a value. With `leading`, options end at the first other word:
    the rest belongs to another program, such as the script of %run.
    """

    def __init__(self, call: MagicCall, known: dict[str, str] = {}, usage: str = "", leading: bool = False) -> None:
        self._call = call
        self._known = known
        self._usage = usage
        self.given: dict[str, str] = {}
        self.rest: list[str] = []
        words = call.words()
        while words:
            word = words.pop(0)
            if word == "--":
                self.rest += words
                break
            if word.startswith("-") and word != "-":
                self._take(word, words)
            else:
                self.rest.append(word)
                if leading:
                    self.rest += words
                    break

    def __contains__(self, name: str) -> bool:
        return name in self.given

    def refuse_rest(self) -> None:
        if self.rest:
            raise self.error(f"{self._written} takes no arguments, and got: {' '.join(self.rest)}.")

    def error(self, problem: str) -> UsageError:
        usage = f" Usage: {self._written} {self._usage}" if self._usage else ""
        return UsageError(problem + usage)

    def _take(self, word: str, words: list[str]) -> None:
        name, equals, value = word.partition("=")
        if name.startswith("--") or len(name) == 2:
            kind = self._known.get(name)
            if kind is None or (kind == FLAG and equals):
                raise self._unknown(word)
            self.given[name] = (value if equals else self._next(name, words)) if kind == VALUE else FLAG
        elif self._known.get(word[:2]) == VALUE:
            self.given[word[:2]] = word[2:]
        else:  # several letters in one: -sf, or -pof FILE
            *flags, last = ("-" + letter for letter in word[1:])
            if any(self._known.get(name) != FLAG for name in flags) or last not in self._known:
                raise self._unknown(word)
            self.given.update(dict.fromkeys(flags, FLAG))
            self.given[last] = self._next(last, words) if self._known[last] == VALUE else FLAG

    def _next(self, name: str, words: list[str]) -> str:
        if not words:
            raise self.error(f"{self._written}: {name} needs a value.")
        return words.pop(0)

    def _unknown(self, word: str) -> UsageError:
        import difflib

        close = difflib.get_close_matches(word, self._known, 1)
        if close:
            return self.error(f"{self._written} has no option {word}. Did you mean {close[0]}?")
        known = f"It has {', '.join(self._known)}." if self._known else "It has none."
        return self.error(f"{self._written} has no option {word}. {known}")

    @property
    def _written(self) -> str:
        return ("%%" if self._call.is_cell else "%") + self._call.name


def no_arguments(call: MagicCall) -> None:
    """For a magic without arguments."""
    Options(call).refuse_rest()
