import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { loadedWith } from "../loaded-with.ts";

describe("the command line loads only what a command needs", () => {
  test("before it knows the command: nothing of Python, kernels or any library", () => {
    const loaded = [...loadedWith("src/hosts/cli/main.ts")];
    expect(loaded.filter((name) => !name.startsWith("src/hosts/cli/") && !name.startsWith("node:"))).toEqual([
      // Every command can fail.
      "src/support/granary-error.ts",
    ]);
    expect(loaded.length).toBeLessThanOrEqual(7);
  });

  test("run: no library, and neither pictures nor help nor the JSON document", () => {
    const loaded = [...loadedWith("src/hosts/cli/run.ts"), ...loadedWith("src/hosts/cli/report/live-report.ts")];
    expect(loaded.filter((name) => !name.startsWith("src/") && !name.startsWith("node:"))).toEqual([]);
    for (const later of [
      "terminal/save-picture",
      "run/run-help",
      "report/json-report",
      "run/person",
      "report/terminal-painter",
    ]) {
      expect(existsSync(inRepository(`src/hosts/cli/${later}.ts`))).toBe(true);
      expect(loaded).not.toContain(`src/hosts/cli/${later}.ts`);
    }
    expect(loaded.filter((name) => name.startsWith("src/view/"))).toEqual([]);
  });

  test("notebook show: nothing that only terminals need", () => {
    const loaded = [...loadedWith("src/hosts/cli/notebook/show.ts")];
    expect(loaded.filter((name) => name.startsWith("src/view/"))).toEqual([]);
  });

  test("run in a terminal: no library, and no drawing code before the first picture", () => {
    const loaded = [...loadedWith("src/hosts/cli/report/terminal-painter.ts")];
    expect(loaded.filter((name) => !name.startsWith("src/") && !name.startsWith("node:"))).toEqual([]);
    expect(existsSync(inRepository("src/view/pictures/picture-lines.ts"))).toBe(true);
    expect(loaded).not.toContain("src/view/pictures/picture-lines.ts");
    expect(loaded.filter((name) => /^src\/(tools|execute|session|notebook)\//.test(name))).toEqual([]);
  });

  test("run: nothing that only some runs need, when Python is known and no setting is changed", () => {
    const loaded = [...loadedWith("src/hosts/cli/run.ts"), ...loadedWith("src/runtime/backend/load-backend.ts")];
    const rarely = [
      "python/find/interview",
      "python/find/ask-python",
      "python/find/survey-interpreters",
      "python/managed/managed-environment",
      "settings/sources/from-file",
      "settings/sources/from-overrides",
      "settings/sources/json-text",
      "settings/combinations",
      "settings/unknown-name",
      "runtime/shell/pending-snapshot",
      "shell/snapshot/shell-snapshot",
      "hosts/cli/doctor",
      "hosts/cli/setup",
      "support/files/atomic-write",
    ];
    for (const name of rarely) {
      expect(existsSync(inRepository(`src/${name}.ts`))).toBe(true);
      expect(loaded).not.toContain(`src/${name}.ts`);
    }
    expect(
      loaded.filter((name) =>
        /^src\/(shell|notebook|execute|output\/(html|traceback)|kernel\/(jupyter|gateway|zmq))\//.test(name),
      ),
    ).toEqual([]);
  });
});
