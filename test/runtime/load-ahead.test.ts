import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";

const imported = /(?<!typeof )\bimport\(\s*"(\.[^"]+)"/g;

/** Loaded when a runtime is made, when its backend is chosen, or by calls that do more than run cells. */
const loadedOtherwise = [
  "src/bridge/loopback-server.ts",
  "src/kernel/gateway/rest/offered-kernels.ts",
  "src/kernel/gateway/shared/shared-gateway.ts",
  "src/kernel/runner/runner-backend.ts",
  "src/kernel/zmq/kernelspec.ts",
  "src/kernel/zmq/zmq-backend.ts",
  "src/runtime/kernel/ipc-trace.ts",
  "src/runtime/options/unknown-option.ts",
  "src/runtime/backend/load-gateway.ts",
  "src/runtime/kernel/start-stages.ts",
  "src/settings/combinations.ts",
  "src/settings/sources/from-environment.ts",
  "src/settings/sources/from-file.ts",
  "src/settings/sources/from-overrides.ts",
  "src/settings/unknown-name.ts",
];

test("modules that later cells need are loaded while there are file descriptors to read them with", () => {
  const ahead = lazilyImportedBy("src/runtime/load-ahead.ts");
  const missing = rooms
    .flatMap(filesOf)
    .flatMap(lazilyImportedBy)
    .filter((file) => !ahead.includes(file));
  expect(missing.filter((file) => !loadedOtherwise.includes(file))).toEqual([]);
});

const rooms = ["bridge", "kernel", "output", "python", "runtime", "session", "settings", "shell"];

function filesOf(room: string): string[] {
  const names = readdirSync(inRepository(`src/${room}`), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => `src/${room}/${name}`);
}

function lazilyImportedBy(file: string): string[] {
  const source = readFileSync(inRepository(file), "utf8");
  return [...source.matchAll(imported)].map(([, name]) => posix.join(posix.dirname(file), name as string));
}
