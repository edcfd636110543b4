import { describe, expect, test } from "vitest";
import type { Interpreter } from "../../src/python/interpreter.ts";
import { kernelEnvironment } from "../../src/python/kernel-environment.ts";

const inVenv: Interpreter = {
  executable: "/project/.venv/bin/python",
  source: ".venv",
  virtualEnvironment: "/project/.venv",
};
const plain: Interpreter = { executable: "/usr/bin/python3", source: "PATH", virtualEnvironment: null };

describe("the environment of a kernel", () => {
  test("is a copy of the host's", () => {
    const env = { PATH: "/usr/bin", LANG: "C.UTF-8", UNSET: undefined };
    expect(kernelEnvironment(env, plain)).toEqual({ PATH: "/usr/bin", LANG: "C.UTF-8" });
  });

  test("leaves out what would slow Python down or make it another Python", () => {
    const env = { PATH: "/usr/bin", PYTHONUNBUFFERED: "1", PYTHONHOME: "/opt/other" };
    expect(kernelEnvironment(env, plain)).toEqual({ PATH: "/usr/bin" });
  });

  test("has the chosen virtual environment activated, its programs first", () => {
    expect(kernelEnvironment({ PATH: "/usr/bin:/bin", VIRTUAL_ENV: "/old" }, inVenv)).toEqual({
      PATH: "/project/.venv/bin:/usr/bin:/bin",
      VIRTUAL_ENV: "/project/.venv",
    });
  });

  test("does not activate twice", () => {
    const once = kernelEnvironment({ PATH: "/usr/bin" }, inVenv);
    expect(kernelEnvironment(once, inVenv)).toEqual(once);
  });

  test("names no virtual environment when the chosen Python is in none", () => {
    expect(kernelEnvironment({ PATH: "/usr/bin", VIRTUAL_ENV: "/broken" }, plain)).toEqual({ PATH: "/usr/bin" });
  });

  test("has a PATH also when the host has none", () => {
    expect(kernelEnvironment({}, inVenv).PATH).toBe("/project/.venv/bin");
  });
});
