import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPortrait } from "../../src/shell/snapshot/portrait.ts";
import { unicodeText } from "../unicode-text.ts";
import { User } from "./users-shell.ts";

describe("a shell's description of itself", () => {
  test("is read whole, for any values", () => {
    const value = unicodeText().filter((text) => !/[\0\ufffd]/.test(text));
    const name = fc.stringMatching(/^[A-Za-z_]\w{0,8}$/);
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.dictionary(name, value), (variables, aliases) => {
        const said = [
          ...Object.entries(variables).map(([name, value]) => `variable\0${name}=${value}\0`),
          `aliases\0${Object.entries(aliases)
            .map(([name, value]) => `alias ${name}=${asBashPrints(value)}\n`)
            .join("")}\0`,
        ];
        const portrait = readPortrait(Buffer.from(said.join("")));
        expect(Object.fromEntries(portrait.variables)).toEqual({ ...variables });
        expect(Object.fromEntries(portrait.aliases)).toEqual({ ...aliases });
      }),
    );
  });

  test("may be any bytes without harm", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readPortrait(Buffer.from(bytes))));
    expect(readPortrait(Buffer.alloc(0)).path).toBe("");
  });

  test("survives the round trip through bash, a file and bash", async () => {
    const sample = fc.sample(fc.string({ unit: "grapheme" }), 60).map((text) => text.replaceAll("\0", ""));
    const values = [...sample, "'", "''", "\\", "!", "two\nlines", "\ttab", "$(exit)", "`exit`"];
    const quoted = values.map((value) => `'${value.replaceAll("'", "'\\''")}'`);
    const user = new User({
      ".bashrc": quoted.map((value, n) => `alias a${n}=${value}; export V${n}=${value}`).join("\n"),
    });
    const shell = await user.captured();
    const asked = values.map((_value, n) => `printf '%s\\0' "\${BASH_ALIASES[a${n}]}" "$V${n}"`).join("\n");
    expect(shell.run(asked)).toBe(values.map((value) => `${value}\0${value}\0`).join(""));
  });
});

function asBashPrints(value: string): string {
  return value === "'" ? "\\'" : `'${value.replaceAll("'", "'\\''")}'`;
}

describe("a shell other than bash", () => {
  const hasZsh = (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "zsh")));

  test.skipIf(!hasZsh)("zsh contributes PATH and exported variables (skipped without zsh)", async () => {
    const user = new User({
      ".zshrc": `
        echo noise; set -eu
        alias printf=false builtin=false
        path=(~/bin $path)
        export EDITOR="it's vi" DEPLOY_KEY=secret
        sleep 600 &!`,
    });
    const shell = await user.captured({ shell: "zsh", env: { ...user.env, PATH: process.env.PATH } });
    expect(shell.run('echo "$EDITOR"; echo "$PATH"')).toBe(`it's vi\n${user.folder}/bin:${process.env.PATH}\n`);
    expect(shell.text).not.toContain("secret");
  });

  test("any other contributes PATH", async () => {
    const user = new User({ rc: "PATH=~/bin:$PATH; export EDITOR=vi; echo noise; sleep 600 &" });
    user.env.ENV = join(user.folder, "rc");
    const shell = await user.captured({ shell: "/bin/sh" });
    expect(shell.run('echo "$EDITOR"; echo "$PATH"')).toBe(`\n${user.folder}/bin:${user.env.PATH}\n`);
  });

  test("a login shell reads its profile first, where terminals open login shells", async () => {
    const user = new User({ ".bash_profile": "alias hello='echo hello'", ".bashrc": "alias hello='echo no'" });
    expect((await user.captured({ login: true })).run("hello")).toBe("hello\n");
    expect((await user.captured({ login: false })).run("hello")).toBe("no\n");
  });
});
