"""bash(): what a command runs with, what comes back, and how it ends."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import time
import unittest
from unittest.mock import patch

import granary_prelude
from granary_prelude import capture, command_line

from tests.prelude_test import PreludeTest

bash = granary_prelude.bash


def is_alive(pid: str) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid], stdout=subprocess.PIPE, encoding="ascii").stdout.strip()
    return state[:1] not in ("", "Z")


@unittest.skipUnless(shutil.which("bash"), "there is no bash here")
class Results(PreludeTest):
    def test_both_streams_apart_and_together(self):
        result = bash("echo out; echo err >&2; sleep 0.01; exit 3")
        self.assertEqual((result.stdout, result.stderr, result.exit_code, result.ok), ("out\n", "err\n", 3, False))
        self.assertEqual(sorted(result.output.split()), ["err", "out"])
        self.assertEqual(result.command, "echo out; echo err >&2; sleep 0.01; exit 3")

    def test_as_text_it_is_what_a_terminal_would_show(self):
        self.assertEqual(repr(bash("printf 'a\\nb\\n'")), "a\nb")
        self.assertEqual(str(bash("printf a; exit 2")), "a\n[exit code 2]")
        self.assertEqual(repr(bash("false")), "[exit code 1]")
        self.assertEqual(repr(bash("true")), "")

    def test_lines(self):
        self.assertEqual(bash("printf 'a\\n\\nb'").lines, ["a", "", "b"])
        self.assertEqual(bash("echo a").lines, ["a"])
        self.assertEqual(bash("true").lines, [])

    def test_the_exit_code_of_what_a_signal_has_ended_is_the_shells(self):
        self.assertEqual(bash("kill -TERM $$").exit_code, 143)

    def test_text_is_whole_wherever_it_was_cut_and_bytes_that_are_no_text_are_replaced(self):
        euros = bash("for i in $(seq 30000); do printf '€€€'; done").stdout
        self.assertEqual(euros, "€" * 90000)
        self.assertEqual(bash("printf 'a\\377b\\342'").stdout, "a\ufffdb\ufffd")

    def test_a_flood_is_cut_and_says_so(self):
        with patch.object(capture, "LIMIT", 10):
            result = bash("echo 0123456789abc; echo err >&2")
        self.assertEqual((result.stdout, result.stderr), ("0123456789", "err\n"))
        self.assertIn("[4 more bytes were not kept; write so much into a file]", repr(result))

    def test_it_can_be_pickled(self):
        self.assertEqual(pickle.loads(pickle.dumps(bash("echo a"))).stdout, "a\n")


@unittest.skipUnless(shutil.which("bash"), "there is no bash here")
class Failures(PreludeTest):
    def test_check_raises_what_subprocess_would_raise_with_the_commands_last_words(self):
        with self.assertRaises(subprocess.CalledProcessError) as raised:
            bash("seq 100; exit 7", check=True)
        error = raised.exception
        self.assertEqual((error.returncode, error.cmd, error.stdout[:4]), (7, "seq 100; exit 7", "1\n2\n"))
        self.assertEqual(str(error), "exit code 7: seq 100; exit 7\n…\n" + "\n".join(str(n) for n in range(81, 101)))
        self.assertEqual(error.result.exit_code, 7)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
        with self.assertRaisesRegex(subprocess.CalledProcessError, "^exit code 1: false$"):
            bash("false", check=True)
        self.assertTrue(bash("true", check=True).ok)

    def test_a_time_out_ends_all_that_the_command_has_started_and_shows_what_it_said(self):
        with self.assertRaises(subprocess.TimeoutExpired) as raised:
            bash("sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait", timeout=0.5)
        error = raised.exception
        self.assertIn("timed out after 0.5 seconds, and was ended: sh -c", str(error))
        self.assertFalse(is_alive(error.result.lines[0]))

    @unittest.skipUnless(sys.platform == "linux", "only Linux has subreapers")
    def test_a_time_out_ends_orphans_that_a_process_above_in_the_same_group_has_adopted(self):
        cell = [
            "import granary_prelude, subprocess",
            "try: granary_prelude.bash('(sleep 321 & echo $!); sleep 321', timeout=0.5)",
            "except subprocess.TimeoutExpired as error: print(error.result.lines[0])",
        ]
        program = [
            "import ctypes, subprocess, sys",
            "PR_SET_CHILD_SUBREAPER = 36",
            "if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0: sys.exit('no subreaper')",
            "subprocess.run([sys.executable, '-c', sys.argv[1]])",
        ]
        ended = subprocess.run(
            [sys.executable, "-c", "\n".join(program), "\n".join(cell)],
            stdout=subprocess.PIPE,
            encoding="ascii",
            env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(os.path.abspath(granary_prelude.__file__)))},
            start_new_session=True,
        )
        orphan = ended.stdout.strip()
        self.assertRegex(orphan, r"^\d+$")
        self.assertFalse(is_alive(orphan))

    def test_a_list_is_refused_with_the_right_form(self):
        with self.assertRaisesRegex(TypeError, "as one text, not as list"):
            bash(["ls", "-l"])

    def test_a_folder_that_is_not_there(self):
        with self.assertRaisesRegex(FileNotFoundError, "nowhere"):
            bash("ls", cwd="nowhere")

    def test_a_syntax_error_is_the_shells(self):
        result = bash("echo (")
        self.assertFalse(result.ok)
        self.assertIn("syntax error", result.stderr)


@unittest.skipUnless(shutil.which("bash"), "there is no bash here")
class Surroundings(PreludeTest):
    def test_stdin_is_empty_unless_it_is_given(self):
        self.assertEqual(bash("cat; echo end").stdout, "end\n")
        self.assertEqual(bash("cat", input="ü\n").stdout, "ü\n")
        self.assertEqual(bash("wc -c", input=b"\xff" * 1_000_000).stdout.strip(), "1000000")
        self.assertEqual(bash("cat | wc -c; echo end", input="").lines[-1], "end")

    def test_what_a_command_does_not_want_to_read_is_no_failure(self):
        self.assertEqual(bash("head -c 1", input="x" * 5_000_000).stdout, "x")

    def test_folder_and_changes_to_the_environment(self):
        os.mkdir("sub")
        with patch.dict(os.environ, {"KEPT": "1", "GONE": "1"}):
            result = bash("echo $PWD ${KEPT-none} ${GONE-none} $ADDED", cwd="sub", env={"ADDED": "2", "GONE": None})
            self.assertEqual(result.stdout, f"{self.folder}/sub 1 none 2\n")
            self.assertEqual(os.environ["GONE"], "1")

    def test_the_command_sees_no_parameters_and_may_be_anything(self):
        self.assertEqual(bash("echo $# \"$1\"").stdout, "0 \n")
        self.assertEqual(bash("# nothing").output, "")
        self.assertEqual(bash("cat <<END\n'\"$((1 + 1))\\\\\nEND").stdout, "'\"2\\\n")

    def test_a_login_profile_is_read_but_does_not_come_before_the_virtual_environment(self):
        self.write(".bash_profile", "export PATH=/usr/bin:/bin FROM_PROFILE=yes")
        with patch.object(sys, "prefix", "/some/venv"), patch.object(sys, "base_prefix", "/usr"):
            self.assertEqual(bash("echo $FROM_PROFILE $PATH").stdout, "yes /some/venv/bin:/usr/bin:/bin\n")
        with patch.object(sys, "prefix", sys.base_prefix), patch.dict(os.environ, {"VIRTUAL_ENV": "/other"}):
            self.assertEqual(bash("echo $PATH").stdout, "/other/bin:/usr/bin:/bin\n")

    def test_a_snapshot_takes_the_place_of_the_profile_unless_it_is_gone(self):
        self.write(".bash_profile", "FROM_PROFILE=yes")
        snapshot = self.write("snap shot.sh", "alias hi='echo hello'\nshout() { echo \"$1!\"; }\n")
        with patch.dict(os.environ, {"PI_SHELL_SNAPSHOT": snapshot}):
            self.assertEqual(bash("hi you; shout hey; echo ${FROM_PROFILE-no}").stdout, "hello you\nhey!\nno\n")
            os.remove(snapshot)
            self.assertEqual(bash("echo $FROM_PROFILE").stdout, "yes\n")

    def test_without_bash_it_is_sh_and_says_so(self):
        os.mkdir("bin")
        os.symlink(shutil.which("sh"), "bin/sh")
        result = bash("echo $0", env={"PATH": f"{self.folder}/bin"})
        self.assertEqual(repr(result), "sh\n[there is no bash here; this ran in sh]")

    def test_a_background_process_that_holds_the_pipes_is_not_waited_for_and_can_go_on_writing(self):
        script = "(while [ ! -e go ]; do sleep 0.02; done; seq 20000; echo $? > done) & echo started"
        self.assertEqual(bash(script).stdout, "started\n")
        self.write("go")
        give_up = time.monotonic() + 20
        while not os.path.exists("done") or self.read("done") == b"":
            self.assertLess(time.monotonic(), give_up, "the background process did not get to its end")
            time.sleep(0.01)
        self.assertEqual(self.read("done"), b"0\n")

    def test_the_command_line_is_one_script_and_arguments(self):
        bash_path = shutil.which("bash")
        with patch.object(sys, "prefix", sys.base_prefix):
            line = command_line.command_line("ls '$1'", {"PATH": os.environ["PATH"]})
        self.assertEqual(line, [bash_path, "-lc", command_line.SCRIPT, "bash", "ls '$1'", "", ""])


if __name__ == "__main__":
    unittest.main()
