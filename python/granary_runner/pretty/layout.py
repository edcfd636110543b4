"""Line breaks of a long representation.

Text arrives piece by piece. A place where a line may break is held back until the line is either known to fit or too
long; then the outermost group that still can break does so at all of its places. The names are those of
`IPython.lib.pretty`, because `_repr_pretty_(self, p, cycle)` of other people's classes calls them.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager

MAX_WIDTH = 79
MAX_SEQ_LENGTH = 1000


class Group:
    """Text that stays on one line if it fits; if not, each of its places becomes a line break."""

    __slots__ = ("depth", "pending", "want_break")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.pending = 0  # places held back
        self.want_break = False


class PrettyPrinter:
    """Writes to `output`, breaking lines at `max_width`."""

    def __init__(self, output, max_width=MAX_WIDTH, newline="\n", max_seq_length=MAX_SEQ_LENGTH) -> None:
        self.output = output
        self.max_width = max_width
        self.newline = newline
        self.max_seq_length = max_seq_length
        self.indentation = 0
        self.output_width = 0
        self.buffer_width = 0
        # Texts, and places as (separator, group, indentation); the first one is a place.
        self._held: deque = deque()
        root = Group(0)
        self._open = [root]
        self._unbroken = [[root]]  # by depth: the groups that have not broken

    def text(self, text) -> None:
        """Add text that never breaks."""
        if not self._held:
            self.output.write(text)
            self.output_width += len(text)
            return
        self._held.append(text)
        self.buffer_width += len(text)
        self._break_what_is_too_long()

    def breakable(self, sep=" ") -> None:
        """Add a place where the line may break; `sep` is written if it does not."""
        group = self._open[-1]
        if group.want_break:
            self._start_line()
            return
        self._held.append((sep, group, self.indentation))
        group.pending += 1
        self.buffer_width += len(sep)
        self._break_what_is_too_long()

    def break_(self) -> None:
        """Break the line here, and the outermost group with it."""
        group = self._next_to_break()
        if group is not None:
            self._break(group)
        self._start_line()

    def begin_group(self, indent=0, open="") -> None:
        """Open a group whose later lines are indented by `indent` more."""
        if open:
            self.text(open)
        group = Group(self._open[-1].depth + 1)
        self._open.append(group)
        if len(self._unbroken) == group.depth:
            self._unbroken.append([])
        self._unbroken[group.depth].append(group)
        self.indentation += indent

    def end_group(self, dedent=0, close="") -> None:
        self.indentation -= dedent
        group = self._open.pop()
        if not group.pending:
            self._forget(group)
        if close:
            self.text(close)

    @contextmanager
    def group(self, indent=0, open="", close=""):
        self.begin_group(indent, open)
        try:
            yield
        finally:
            self.end_group(indent, close)

    @contextmanager
    def indent(self, indent):
        self.indentation += indent
        try:
            yield
        finally:
            self.indentation -= indent

    def flush(self) -> None:
        """Write the pending text; after the last text, or before a line break."""
        while self._held:
            self._write_first()
        self.buffer_width = 0

    def _enumerate(self, seq):
        """`enumerate`, but a long sequence ends in an ellipsis. Not private in practice: classes of libraries call it."""
        for index, item in enumerate(seq):
            if self.max_seq_length and index >= self.max_seq_length:
                self.text(",")
                self.breakable()
                self.text("...")
                return
            yield index, item

    def _fits(self, text: str) -> bool:
        """Whether this text fits without a line break."""
        return not self._held or self.output_width + self.buffer_width + len(text) <= self.max_width

    def _start_line(self) -> None:
        self.flush()
        self.output.write(self.newline + " " * self.indentation)
        self.output_width = self.indentation

    def _break_what_is_too_long(self) -> None:
        while self.output_width + self.buffer_width > self.max_width:
            group = self._next_to_break()
            if group is None:
                return
            self._break(group)

    def _next_to_break(self) -> "Group | None":
        """The outermost group with places held back; groups further out will break at every place to come."""
        for level in self._unbroken:
            for index, group in enumerate(reversed(level)):
                if group.pending:
                    # IPython counts from the wrong end here, and so forgets another group where two are beside each
                    # other, as in `{(1, 2): (3, 4)}`. Outputs must be the same, so we do the same.
                    del level[index]
                    group.want_break = True
                    return group
            for group in level:
                group.want_break = True
            level.clear()
        return None

    def _break(self, group: Group) -> None:
        while group.pending:
            self._write_first()
        while self._held and type(self._held[0]) is not tuple:
            self._write_first()

    def _write_first(self) -> None:
        piece = self._held.popleft()
        if type(piece) is not tuple:
            self.output.write(piece)
            self.output_width += len(piece)
            self.buffer_width -= len(piece)
            return
        separator, group, indentation = piece
        group.pending -= 1
        self.buffer_width -= len(separator)
        if group.want_break:
            self.output.write(self.newline + " " * indentation)
            self.output_width = indentation
            return
        if not group.pending:
            self._forget(group)
        self.output.write(separator)
        self.output_width += len(separator)

    def _forget(self, group: Group) -> None:
        level = self._unbroken[group.depth]
        if group in level:
            level.remove(group)
