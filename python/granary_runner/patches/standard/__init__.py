"""Modules of Python's own library, adapted to cells."""
