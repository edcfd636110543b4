"""Functions, classes and modules in one line, read without running user code."""

from __future__ import annotations

import sys

from .type_facts import name_of, names_in, plain

_LONGEST_NAME = 200
_Function = type(name_of)
_BuiltIn = type(len)
_Module = type(sys)
_function_name = _Function.__dict__["__name__"].__get__
_function_code = _Function.__dict__["__code__"].__get__
_built_in_name = _BuiltIn.__dict__["__name__"].__get__
_bases = type.__dict__["__bases__"].__get__
_VARIABLE_POSITIONAL, _VARIABLE_KEYWORD = 4, 8  # of co_flags


def kind_of(cls: type) -> str:
    """The kind of a value of this type."""
    if cls is _Function or cls is _BuiltIn:
        return "function"
    if issubclass(cls, type):
        return "class"
    return "module" if issubclass(cls, _Module) else "data"


def text_of(value, cls: type) -> "str | None":
    """None for data."""
    if cls is _Function:
        return "%s(%s)" % (plain(_function_name(value), _LONGEST_NAME), ", ".join(_parameters(_function_code(value))))
    if cls is _BuiltIn:
        return "%s(…)" % plain(_built_in_name(value), _LONGEST_NAME)
    kind = kind_of(cls)
    if kind == "class":
        bases = ", ".join(name_of(base) for base in _bases(value) if base is not object)
        return "class %s(%s)" % (name_of(value), bases) if bases else "class %s" % name_of(value)
    if kind == "module":
        name = (names_in(value) or {}).get("__name__")
        return "module %s" % plain(name, _LONGEST_NAME) if issubclass(type(name), str) else "module"
    return None


def _parameters(code) -> list:
    names = code.co_varnames
    positional, end = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    parameters = list(names[:positional])
    keyword_only = list(names[positional:end])
    if code.co_flags & _VARIABLE_POSITIONAL:
        parameters.append("*" + names[end])
        end += 1
    elif keyword_only:
        parameters.append("*")
    parameters += keyword_only
    if code.co_flags & _VARIABLE_KEYWORD:
        parameters.append("**" + names[end])
    return parameters
