import { expect, test } from "vitest";
import { interactiveProgram } from "../../src/support/process/interactive-program.ts";

test.each([
  [["/usr/bin/vim", "notes.txt"], "an editor"],
  [["/bin/sh", "/usr/local/bin/nano", "a"], "an editor"],
  [["less"], "a pager"],
  [["sudo", "make", "install"], "a password prompt"],
  [["pinentry-curses"], "a password prompt"],
  [["python3.12", "-c", "import vim"], null],
  [["bash", "-c", "vim notes.txt"], null],
  [["sleep", "1000"], null],
  [["grep", "vim"], null],
  [[], null],
])("%j is %s", (command, kind) => expect(interactiveProgram(command)).toBe(kind));
