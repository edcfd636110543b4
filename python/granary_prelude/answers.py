"""The outcome of a call to the host: a value, or an exception."""

from __future__ import annotations

from . import ToolError
from .calls import Call


class ToolText(str):
    """A tool's answer as text; `structured` and `images` have the rest."""

    structured: dict
    images: "list[ToolImage]"

    def __new__(cls, text: str, structured: "dict | None" = None, images: "list[ToolImage] | None" = None):
        self = super().__new__(cls, text)
        self.structured = structured or {}
        self.images = images or []
        return self

    def __await__(self):
        """So that `await` always works, even if a function that does not await made the call."""
        return self
        yield

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        return {"text/plain": str(self)}

    def _repr_pretty_(self, printer, cycle) -> None:
        printer.text(str(self))  # IPython would show a plain text in quotes


class ToolImage:
    """`data` is bytes; as the last expression of a cell it is shown."""

    def __init__(self, base64: str, mime_type: str) -> None:
        self.mime_type = mime_type
        self._base64 = base64

    @property
    def data(self) -> bytes:
        import binascii

        return binascii.a2b_base64(self._base64)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        return {self.mime_type: self._base64, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<{self.mime_type}, {len(self._base64) * 3 // 4} bytes>"


class NotAwaited:
    """A running call, made in code that awaits; `await` returns its value.

    For asyncio it is a coroutine. Code that uses it like the value waits at that point; only code that requires
    a real text refuses it, with this class name in the error.
    """

    def __init__(self, name: str, call: Call) -> None:
        self._name = name
        self._call = call
        self._is_used = False
        self._coroutine = None

    def __await__(self):
        self._is_used = True
        return self._value().__await__()

    def send(self, value):
        return self._begun().send(value)

    def throw(self, *problem):
        try:
            return self._begun().throw(*problem)
        except BaseException:
            self._call.cancel()  # even before it begins to wait
            raise

    def close(self) -> None:
        self._begun().close()
        self._call.cancel()

    def _begun(self):
        self._is_used = True
        if self._coroutine is None:
            self._coroutine = self._value()
        return self._coroutine

    async def _value(self):
        __tracebackhide__ = True  # as everywhere below, so that IPython shows only the user's lines
        return value_of(self._name, await self._call.wait_in_loop())

    def _now(self):
        __tracebackhide__ = True
        self._is_used = True
        return value_of(self._name, self._call.wait())

    def __getattr__(self, name: str):
        __tracebackhide__ = True
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._now(), name)

    __hash__ = object.__hash__  # asyncio.gather looks for duplicates

    def __del__(self) -> None:
        if not self.__dict__.get("_is_used", True):
            import warnings

            advice = f"this code awaits, so write: await tool.{self._name}(…)"
            warnings.warn(f"nothing awaited tool.{self._name}(…): {advice}", RuntimeWarning, 2)


def _used_as_value(name: str):
    def method(self, *others):
        __tracebackhide__ = True
        return getattr(self._now(), name)(*others)

    method.__name__ = name
    return method


for _name in "str repr format len bool iter contains getitem eq ne lt le gt ge add mul mod int float".split():
    setattr(NotAwaited, f"__{_name}__", _used_as_value(f"__{_name}__"))


def value_of(name: str, reply: dict):
    __tracebackhide__ = True
    error = reply.get("error")
    if error is not None:
        raise ToolError(error["message"], error["code"], name, error.get("structured"))
    if "value" in reply:
        return reply["value"]
    images = [ToolImage(image["base64"], image["mimeType"]) for image in reply.get("images", ())]
    return ToolText(reply["text"], reply.get("structured"), images)
