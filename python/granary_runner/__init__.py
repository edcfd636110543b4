"""Granary's embedded runner: a Python kernel that needs nothing but Python. See protocol/README.md."""
