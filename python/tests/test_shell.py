"""Commands: what `!cmd` runs with, where its output goes, and how it ends."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import unittest

from granary_runner import shell
from granary_runner.magics.syntax.expand import expand

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Program:
    """A Python of its own, in a process group of its own, that uses `shell` and may be interrupted."""

    PRELUDE = """
import signal, sys
sys.path.insert(0, sys.argv[1])
from granary_runner.cells import interrupt; from granary_runner import shell

def handle(number, frame):  # as the kernel does: never in Granary's own code
    if interrupt._place(frame) == "user":
        raise KeyboardInterrupt
    interrupt.pending = True

signal.signal(signal.SIGINT, handle)
"""

    def __init__(self, code: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.PRELUDE + code, SOURCES],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )

    def interrupt(self) -> None:
        os.killpg(self.process.pid, signal.SIGINT)

    def wait_for_line(self) -> str:
        return self.process.stdout.readline().decode().strip()

    def finish(self) -> tuple:
        out, err = self.process.communicate(timeout=30)
        return out.decode(), err.decode()

    def finish_interrupted(self) -> tuple:
        """A signal right ahead of a system call that waits has no effect before that returns: send it again, as the host does."""
        for _ in range(30):
            self.interrupt()
            with contextlib.suppress(subprocess.TimeoutExpired):
                out, err = self.process.communicate(timeout=5)
                return out.decode(), err.decode()
        raise AssertionError("the interrupt had no effect")

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *problem: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


def is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
    return False


class Output(unittest.TestCase):
    def test_it_goes_to_the_descriptors_in_the_order_of_the_prints_around_it(self):
        with Program("print('before'); shell.run('echo command; echo error >&2'); print('after')") as program:
            self.assertEqual(program.finish(), ("before\ncommand\nafter\n", "error\n"))

    def test_stdin_is_empty(self):
        with Program("shell.run('cat; echo read')") as program:
            self.assertEqual(program.finish()[0], "read\n")

    def test_it_follows_a_redirected_sys_stdout(self):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            shell.run("echo a; echo b >&2")
        self.assertEqual((out.getvalue(), err.getvalue()), ("a\n", "b\n"))

    def test_the_exit_code_is_the_commands(self):
        self.assertEqual(shell.run("exit 3"), 3)
        self.assertEqual(shell.run("true"), 0)

    @unittest.skipIf(shutil.which("bash") is None, "bash is not installed")
    def test_bash_is_the_shell_where_there_is_one(self):
        self.assertEqual(shell.capture("echo {1..3}; echo $BASH"), ["1 2 3", shutil.which("bash")])


class Capture(unittest.TestCase):
    def test_lines(self):
        lines = shell.capture("printf 'a b\\n\\nc\\n'; exit 2")
        self.assertEqual(lines, ["a b", "", "c"])
        self.assertEqual((lines.n, lines.s, lines.l, lines.exit_code), ("a b\n\nc", "a b  c", ["a b", "", "c"], 2))

    def test_nothing_printed_is_no_line(self):
        self.assertEqual(shell.capture("true"), [])

    def test_bytes_that_are_not_utf_8(self):
        self.assertEqual(shell.capture("printf 'a\\377b'"), ["a\ufffdb"])


@unittest.skipIf(os.name == "nt", "signals are POSIX")
class Interrupts(unittest.TestCase):
    # As in the runner, nothing is raised while the child is being started, where its number would be lost.
    CODE = """
import signal
waiting = interrupted = False
def handle(*_):
    global interrupted
    is_first, interrupted = not interrupted, True
    if waiting and is_first:
        raise KeyboardInterrupt
def wait(*args, original=shell._wait):
    global waiting
    waiting = True
    if interrupted:
        raise KeyboardInterrupt
    return original(*args)
shell._wait = wait
signal.signal(signal.SIGINT, handle)
try:
    {call}
except KeyboardInterrupt:
    print('interrupted', flush=True)
"""

    def ends(self, command: str) -> None:
        """The command prints the process numbers of those that have to be gone."""
        code = self.CODE.format(call=f"shell.run({command!r})")
        with Program(code) as program:
            pids = program.wait_for_line().split()
            self.assertTrue(all(map(is_alive, pids)), pids)
            out, err = program.finish_interrupted()
            self.assertEqual((out, err), ("interrupted\n", ""))
            self.assertEqual([pid for pid in pids if is_alive(pid)], [])

    def test_a_command_ends_with_an_interrupt(self):
        self.ends("echo $$; sleep 100")

    def test_a_command_that_ignores_it_is_ended(self):
        self.ends("trap '' INT; echo $$; while :; do sleep 0.2; done")

    def test_a_command_that_ignores_everything_is_killed(self):
        self.ends("trap '' INT TERM; echo $$; while :; do sleep 0.2; done")

    def test_children_of_the_command_end_too(self):
        self.ends("trap '' INT; sleep 100 & echo $$ $!; wait; wait; sleep 100")

    @unittest.skipUnless(os.path.exists("/proc/self/stat"), "orphans are found through /proc")
    def test_background_jobs_that_lost_their_shell_end_too(self):
        self.ends("sleep 100 & echo $!; wait")

    def test_a_captured_command_ends_too(self):
        code = self.CODE.format(call="shell.capture('echo $$ >&2; sleep 100')")
        with Program(code) as program:
            pid = program.process.stderr.readline().decode().strip()
            program.interrupt()
            self.assertEqual(program.finish()[0], "interrupted\n")
            self.assertFalse(is_alive(pid))

    def test_what_ran_before_the_command_is_left_alone(self):
        code = "import subprocess\nearlier = subprocess.Popen(['sleep', '100'], preexec_fn=lambda: ignore())\n"
        code = "import signal\nignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + code
        code += self.CODE.format(call="shell.run('echo $$; sleep 100')") + "print(earlier.poll(), flush=True)"
        with Program(code) as program:
            program.wait_for_line()
            program.interrupt()
            self.assertEqual(program.wait_for_line(), "interrupted")
            self.assertEqual(program.wait_for_line(), "None")


class Interpolation(unittest.TestCase):
    NAMES = {"x": 5, "name": "a b", "d": {"k": "v"}, "pi": 3.14159, "HOMES": 1}

    def expands(self, text: str, expected: str) -> None:
        self.assertEqual(expand(text, dict(self.NAMES)), expected)

    def test_expressions(self):
        self.expands("echo {x} {x + 1} {d['k']} {d[\"k\"]} {len(name)}", "echo 5 6 v v 3")
        self.expands("{pi:.2f} {name!r} {name!r:>8} {x:03d}", "3.14 'a b'    'a b' 005")
        self.expands("{' '.join(str(i) for i in range(x))}", "0 1 2 3 4")
        self.expands("'{x}'", "'5'")

    def test_names(self):
        self.expands("echo $x ${x} \"$name\" $x.txt", "echo 5 5 \"a b\" 5.txt")

    def test_what_is_not_known_is_left_to_the_shell(self):
        for text in (
            "echo $HOME ${HOME} ${HOME:-x} $1 $? $$ $(pwd) $((1+1))",
            "awk '{print $x}' file",
            "awk '{ print $1 }' file",
            "mkdir -p {a,b}/{1..3}",
            "mkdir {x,pi}",
            "find . -exec ls {} \\;",
            "f() { echo hi; }; f",
            "echo {missing} {x.missing} {x/0}",
            "echo '{\"a\": {\"b\": [1, 2]}}'",
            "echo \\$x \\{x}",
            "echo {x",
            "echo }",
        ):
            with self.subTest(text):
                self.expands(text, text)

    def test_doubled_braces_and_dollars_are_single_ones_for_the_shell(self):
        self.expands("awk '{{print $1}}' {name}", "awk '{print $1}' a b")
        self.expands("echo $$x", "echo $x")
        self.expands("echo '{{\"a\": {x}}}'", "echo '{\"a\": 5}'")

    def test_values_inside_json(self):
        self.expands("curl -d '{\"a\": {x}, \"b\": {\"c\": 1}}'", "curl -d '{\"a\": 5, \"b\": {\"c\": 1}}'")


if __name__ == "__main__":
    unittest.main()
