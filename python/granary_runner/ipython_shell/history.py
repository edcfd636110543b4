"""`get_ipython().history_manager`: the cells of this session. Nothing is stored on disk."""

from __future__ import annotations

from ..cells import execute


class HistoryManager:
    """Cells by number, as `(session, number, source)`; the session's number is always 1."""

    enabled = True
    session_number = 1
    hist_file = ":memory:"

    @property
    def input_hist_raw(self) -> list:
        return execute.inputs

    input_hist_parsed = input_hist_raw

    @property
    def output_hist(self) -> dict:
        return execute.outputs

    @property
    def output_hist_reprs(self) -> dict:
        return {number: repr(value) for number, value in execute.outputs.items()}

    def reset(self, new_session=True) -> None:
        """Forget sources and results; the count continues."""
        execute.forget_inputs()
        execute.forget_results()

    def store_inputs(self, line_num, source, source_raw=None) -> None:
        """Put a source into `In`."""
        execute.inputs.extend([""] * (line_num + 1 - len(execute.inputs)))
        execute.inputs[line_num] = source.rstrip("\n")

    def get_range(self, session=0, start=1, stop=None, raw=True, output=False):
        """The cells from `start` to before `stop`; empty for other sessions."""
        if session not in (0, 1):
            return
        for number in range(*slice(start, stop).indices(len(execute.inputs))):
            if number > 0:
                source = execute.inputs[number]
                yield 1, number, (source, execute.outputs.get(number)) if output else source

    def get_tail(self, n=10, raw=True, output=False, include_latest=False):
        """The last `n` cells, without the running one."""
        end = len(execute.inputs) - (0 if include_latest else 1)
        return list(self.get_range(start=max(end - n, 1), stop=end, raw=raw, output=output))

    def get_range_by_str(self, rangestr, raw=True, output=False):
        """Cells by "3", "2-5" or "1-3 7"."""
        for start, stop in ranges(rangestr):
            yield from self.get_range(start=start, stop=stop, raw=raw, output=output)

    def search(self, pattern="*", raw=True, search_raw=True, output=False, n=None, unique=False):
        """Cells that match a shell pattern."""
        from fnmatch import fnmatchcase

        found = [one for one in self.get_range(output=output) if fnmatchcase(execute.inputs[one[1]], pattern)]
        return found[-n:] if n else found


def ranges(text: str):
    """`(start, stop)` for each part of "2-5 7"; "~0/" in front names this session."""
    for word in text.split():
        first, dash, last = word.replace("~0/", "").partition("-")
        if not (first.isdigit() and (last.isdigit() or not dash)):
            raise ValueError("%r is no range of cells; write 3, 2-5 or both" % word)
        yield int(first), int(last if dash else first) + 1
