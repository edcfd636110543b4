"""Magics about the user's names: list, delete, store, save."""
