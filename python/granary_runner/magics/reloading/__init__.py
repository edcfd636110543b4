"""Magics that change which code is loaded: packages, extensions, edited modules."""
