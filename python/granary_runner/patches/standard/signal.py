"""Keeps the user's SIGINT handler beside ours. Ours calls it, but never inside Granary's own code.

`getsignal` returns Python's own handler in place of ours: trio, for example, handles interrupts only then.
"""

from __future__ import annotations

import functools
from _thread import get_ident

from ...cells import interrupt


def apply(module) -> None:
    set_handler, get_handler = module.signal, module.getsignal

    @functools.wraps(get_handler)
    def getsignal(signalnum):
        if signalnum != module.SIGINT or not interrupt.is_installed:
            return get_handler(signalnum)
        return module.default_int_handler if interrupt.users_handler is None else interrupt.users_handler

    @functools.wraps(set_handler)
    def signal(signalnum, handler):
        is_name = isinstance(handler, int) and handler in (module.SIG_DFL, module.SIG_IGN)
        is_valid = (is_name or callable(handler)) and get_ident() == interrupt.main_thread
        if signalnum != module.SIGINT or not interrupt.is_installed or not is_valid:
            return set_handler(signalnum, handler)
        before = getsignal(signalnum)
        if is_name:
            handler = module.Handlers(handler)
        interrupt.use_handler(None if handler is module.default_int_handler else handler)
        return before

    module.signal, module.getsignal = signal, getsignal
