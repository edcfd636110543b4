import { execFileSync } from "node:child_process";
import { delimiter } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { composeBash } from "../../src/shell/compose-bash.ts";
import { oldestPython } from "../environment/pythons.ts";
import { User } from "./users-shell.ts";

describe("a composed command", () => {
  test("reaches bash as typed", () => {
    const user = new User();
    const typed = fc.array(unicodeText().filter((text) => !text.includes("\0")));
    fc.assert(
      fc.property(typed, (texts) => {
        const words = texts.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(" ");
        // Ends with a dot, so that reading the output back drops nothing.
        expect(user.run(`printf '%s\\n' ${words} .`)).toBe([...texts, ".", ""].join("\n"));
      }),
      { numRuns: 20 },
    );
  });

  test("may have several lines, here-documents and comments", () => {
    expect(new User().run("# first\ncat <<END\nhello $((6 * 7))\nEND\n# last")).toBe("hello 42\n");
  });

  test("has no positional parameters", () => {
    expect(new User().run('echo "$# $*"')).toBe("0 \n");
  });

  test("ends with its own exit code", () => {
    expect(() => new User().run("exit 7")).toThrow(expect.objectContaining({ status: 7 }));
  });

  test("reads the login profile, and still finds the environment's programs first", () => {
    const user = new User({ ".profile": "PATH=/from/profile; export VIRTUAL_ENV=/another" });
    const path = user.run('echo "$PATH"', { venvBin: "/project/.venv/bin" });
    expect(path).toBe("/project/.venv/bin:/from/profile\n");
  });

  test("finds the environment's programs first with a snapshot, and only once", async () => {
    const user = new User({ ".bashrc": "PATH=/from/rc:$PATH" });
    const { path: snapshot } = await user.captured();
    const env = { PATH: `/project/.venv/bin:${user.env.PATH}` };
    const path = user.run('echo "$PATH"', { snapshot, venvBin: "/project/.venv/bin", env });
    expect(path).toBe(`/project/.venv/bin:/from/rc:${user.env.PATH}\n`);
  });

  test("equals the command of Python's bash()", () => {
    const user = new User({ "snapshot.sh": "" });
    const snapshot = `${user.folder}/snapshot.sh`;
    const command = "echo 'äöü' \"$HOME\"\necho two";
    const inPython = (env: Record<string, string>) =>
      JSON.parse(
        execFileSync(oldestPython().path, ["-c", askPrelude, command, JSON.stringify(env)], { encoding: "utf8" }),
      );
    const PATH = ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);

    expect(inPython({ PATH, VIRTUAL_ENV: "/project/.venv" }).slice(1)).toEqual(
      composeBash(command, { snapshot: null, venvBin: "/project/.venv/bin" }),
    );
    expect(inPython({ PATH, PI_SHELL_SNAPSHOT: snapshot }).slice(1)).toEqual(
      composeBash(command, { snapshot, venvBin: null }),
    );
    expect(inPython({ PATH, PI_SHELL_SNAPSHOT: "/no/such/file" }).slice(1)).toEqual(
      composeBash(command, { snapshot: null, venvBin: null }),
    );
  });
});

const askPrelude = `
import json, sys
sys.path.insert(0, ${JSON.stringify(inRepository("python"))})
from granary_prelude.command_line import command_line
print(json.dumps(command_line(sys.argv[1], json.loads(sys.argv[2]))))
`;

import { unicodeText } from "../unicode-text.ts";
