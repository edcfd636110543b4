"""Sets the limits of a policy again and again. During one system call each time, a path of the folder is a link.

As a program in another sandbox of the folder could do it, but without luck: every system call has its turn. Prints how the starts
went, and by which calls a start got out.
"""

import json
import os
import posix
import sys
from functools import partial

python_folder, policy_text, scene = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
sys.path.insert(0, python_folder)
import granary_limits  # noqa: E402

EXCHANGE, RENAMEAT2 = 2, {"x86_64": 316, "aarch64": 276}[os.uname().machine]
IN_PLACE, REFUSED, ESCAPED, NO_MORE = 0, 1, 2, 3
modules = [module for name, module in sys.modules.items() if name.startswith("granary_limits")]
call = granary_limits.system_calls.call


class Swapper:
    """Another process, because a place that is a mount here cannot be renamed from here."""

    def __init__(self):
        self.orders, to_child = os.pipe()
        from_child, self.done = os.pipe()
        if os.fork() == 0:
            os.close(to_child)
            while os.read(self.orders, 1):
                paths = [os.fsencode(path) for path in (scene["place"], scene["link"])]
                call("syscall", RENAMEAT2, -100, paths[0], -100, paths[1], EXCHANGE)
                os.write(self.done, b".")
            os._exit(0)
        self.orders, self.done = to_child, from_child

    def swap(self) -> None:
        os.write(self.orders, b".")
        os.read(self.done, 1)


def start(turn: int) -> int:
    swapper, calls = Swapper(), [0]

    def hostile(function, *arguments, **more):
        calls[0] += 1
        if calls[0] != turn:
            return function(*arguments, **more)
        swapper.swap()
        try:
            return function(*arguments, **more)
        finally:
            swapper.swap()

    class Posix:
        def __getattr__(self, name):
            found = getattr(posix, name)
            return partial(hostile, found) if name in ("open", "stat", "lstat", "scandir") else found

    for module in modules:
        if hasattr(module, "posix"):
            module.posix = Posix()
        if hasattr(module, "call"):
            module.call = lambda name, *arguments: (call if name == "prctl" else partial(hostile, call))(name, *arguments)
    policy = granary_limits.read_policy(policy_text)
    try:
        covered = granary_limits.own_mounts(policy)
        granary_limits.drop_capabilities()
        granary_limits.landlock(policy, covered)
    except OSError:
        return REFUSED
    if calls[0] < turn:
        return NO_MORE
    return ESCAPED if any(succeeds(attempt) for attempt in (change_mode, change_time, read)) else IN_PLACE


def succeeds(attempt) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def change_mode() -> None:
    os.chmod(scene["outside"], 0o666)


def change_time() -> None:
    os.utime(scene["outside"], (0, 0))


def read() -> None:
    open(scene["secret"]).close()


results = []
while not results or results[-1] != NO_MORE:
    child = os.fork()
    if child == 0:
        os._exit(start(len(results) + 1))
    results.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(
    json.dumps(
        {
            "calls": len(results) - 1,
            "refused": results.count(REFUSED),
            "escapedBy": [turn for turn, result in enumerate(results, 1) if result not in (IN_PLACE, REFUSED, NO_MORE)],
        }
    )
)
