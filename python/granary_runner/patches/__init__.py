"""Small adaptations of popular modules: what opens a window, a browser or a terminal elsewhere is shown here instead.

One file per library, each with `apply(module)`; `import_hooks.PATCHES` says which module gets which.
"""
