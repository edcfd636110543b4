"""Functions of the C library. `ctypes` itself would take six times as long to import."""

import posix

import _ctypes


class _Long(_ctypes._SimpleCData):
    _type_ = "l"


class _Text(_ctypes._SimpleCData):
    _type_ = "z"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Long


_library = _ctypes.dlopen(None, 0)
_functions = {}


def call(name: str, *arguments: "int | bytes | None") -> int:
    """The result; negative if it failed. Numbers are an `int` of C: none of ours needs more."""
    function = _functions.get(name)
    if function is None:
        function = _functions[name] = _Function(_ctypes.dlsym(_library, name))
    result = function(*arguments)
    # Most of them return an int, whose upper half the register does not have.
    return result if name == "syscall" else (result + (1 << 31)) % (1 << 32) - (1 << 31)


def check(result: int, what: str) -> int:
    if result < 0:
        raise failure(what)
    return result


def failure(what: str) -> OSError:
    """Of the last call."""
    number = _ctypes.get_errno()
    return OSError(number, "%s: %s" % (what, posix.strerror(number)))


def address_of(content: bytes) -> bytes:
    """As a pointer in a structure; the caller keeps the content alive."""
    return bytes(memoryview(_Text(content)))
