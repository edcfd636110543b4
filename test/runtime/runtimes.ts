import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { newestPython } from "../environment/pythons.ts";

/** A folder for this test file, removed after its tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "granary-runtime-test-"));
  // A shell that ends may still write its history.
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** The environment of a user who has one Python and has never used Granary before. */
export function environmentIn(folder: string): Readonly<Record<string, string>> {
  const path = `${dirname(newestPython().path)}:/usr/bin:/bin`;
  return { PATH: path, HOME: folder, GRANARY_HOME: join(folder, "home") };
}

export function runtimeIn(
  folder: string,
  python: SettingsOverrides["python"] = {},
  options: RuntimeOptions = {},
): Promise<Runtime> {
  return createRuntime({ cwd: folder, env: environmentIn(folder), settings: { python }, trust: true, ...options });
}
