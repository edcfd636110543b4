import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { environmentName } from "../../src/python/environment-name.ts";
import { newestPython } from "../environment/pythons.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-environment-name-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function made(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  }
  return join(folder, name, "bin", "python");
}

describe("the name of an environment is", () => {
  test("that of a virtual environment's folder, or its own choice for prompts, as venv writes them", () => {
    for (const [path, options, name] of [
      ["plain", [], "plain"],
      ["named", ["--prompt", "my project"], "my project"],
    ] as const) {
      const target = join(folder, path);
      execFileSync(newestPython().path, ["-m", "venv", "--without-pip", ...options, target]);
      expect(environmentName(join(target, "bin", "python"), "3.13.0")).toBe(name);
    }
  });

  test("the folder's when the prompt is empty", () => {
    expect(environmentName(made("empty", { "pyvenv.cfg": "prompt = \n" }), "3.13.0")).toBe("empty");
  });

  test("that of a conda environment, and base for the installation itself", () => {
    expect(environmentName(made("research", { "conda-meta/history": "" }), "3.12.1")).toBe("research");
    const installation = { "conda-meta/history": "", "condabin/conda": "" };
    expect(environmentName(made("miniconda3", installation), "3.12.1")).toBe("base");
  });

  test("the version of a Python that belongs to none", () => {
    expect(environmentName("/usr/bin/python3", "3.13.0")).toBe("3.13");
    expect(environmentName("", "3.14.0rc1")).toBe("3.14");
    expect(environmentName(null, "3.11.9")).toBe("3.11");
    expect(environmentName("nowhere", "unknown")).toBe("unknown");
  });
});
