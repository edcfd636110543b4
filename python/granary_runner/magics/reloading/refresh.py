"""Loads a module's edited source into the existing module.

Functions and classes keep their identity and get the new content: names imported with `from m import f`, instances,
subclasses, `isinstance` and pickles all still work. If a class cannot be changed in place, the new one is used.
"""

from __future__ import annotations

from .in_place import is_updatable, redirect_references, updated


def refresh(module) -> None:
    """Run the module's source again. After a failure, the module is unchanged, and the exception is raised."""
    loader, file = module.__spec__.loader, module.__spec__.origin
    # Not importlib.reload, which accepts a .pyc of the same second and size.
    code = loader.source_to_code(loader.get_data(file), file)
    names = module.__dict__
    before = dict(names)
    try:
        exec(code, names)
    except BaseException:
        names.clear()
        names.update(before)
        raise
    definitions = {name: value for name, value in before.items() if _is_definition(value, module)}
    _drop_removed(names, definitions)
    _keep_identities(names, definitions, module)


def _is_definition(value: object, module) -> bool:
    return is_updatable(value) and getattr(value, "__module__", None) == module.__name__


def _drop_removed(names: dict, definitions: dict) -> None:
    """A function or class that is still the same object was not defined again: the source no longer has it."""
    for name, old in definitions.items():
        if names.get(name) is old:
            del names[name]


def _keep_identities(names: dict, definitions: dict, module) -> None:
    pairs = [(old, names[name]) for name, old in definitions.items() if _is_definition(names.get(name), module)]
    # Bases first, so that a subclass finds the base that stays.
    for old, new in sorted(pairs, key=lambda pair: len(getattr(pair[1], "__mro__", ()))):
        if updated(old, new) is old:
            redirect_references(names, old, new)
