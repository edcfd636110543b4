"""`getpass.getpass()` asks the host: there is no terminal whose echo could be switched off."""

from __future__ import annotations


def apply(module) -> None:
    def getpass(prompt="Password: ", stream=None, **kwargs):
        """Ask for a password without showing it."""
        from ...wire import asking

        return asking.ask(str(prompt), True)

    module.getpass = getpass
