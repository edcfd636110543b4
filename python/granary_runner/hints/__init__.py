"""Hints for people and models beside an error: a package to install, a command that needs `!`, a name that is close."""
