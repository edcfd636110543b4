"""Small patches of popular modules: they display, where they would open a window, a browser or a terminal.

One file per library, each with `apply(module)`; `import_hooks.PATCHES` says which module gets which.
"""
