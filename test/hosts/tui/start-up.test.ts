import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { loadedWith } from "../loaded-with.ts";

const laterRooms = [
  ...["runtime/", "session/", "python/", "shell/", "settings/load"],
  ...["kernel/runner/", "kernel/zmq/", "kernel/gateway/", "kernel/jupyter/"],
  ...["notebook/parse/", "notebook/file/", "notebook/edit/"],
];

test("the console appears before the code is loaded that runs Python, saves or draws pictures", () => {
  const loaded = [...loadedWith("src/hosts/tui/start-console.ts")];
  expect(loaded).toContain("src/hosts/tui/screen.ts");
  const sources = readdirSync(inRepository("src"), { recursive: true, encoding: "utf8" }).map((file) => `src/${file}`);
  for (const room of laterRooms) {
    expect(
      sources.filter((file) => file.startsWith(`src/${room}`)),
      `src/${room}`,
    ).not.toEqual([]);
    expect(loaded.filter((file) => file.startsWith(`src/${room}`))).toEqual([]);
  }
  for (const name of [
    "history/history-file",
    "commands/commands",
    "notebook/open-notebook",
    "picture-gallery",
    "save-session",
  ]) {
    expect(
      sources.filter((file) => file.endsWith(`/${name}.ts`)),
      `${name}.ts`,
    ).not.toEqual([]);
    expect(loaded.filter((file) => file.endsWith(`/${name}.ts`))).toEqual([]);
  }
});

test("of pi-tui only the parts are loaded that paint and read keys", () => {
  const libraries = [...loadedWith("src/hosts/tui/start-console.ts")].filter((name) => name.startsWith("@"));
  expect(libraries.sort()).toEqual(
    ["keys", "stdin-buffer", "terminal-image", "tui", "utils"].map((file) => `@earendil-works/pi-tui/dist/${file}.js`),
  );
});
