import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { visibleLine } from "../../../output/text/visible-text.ts";
import { type DescribedSetting, describeSettings } from "../../../settings/describe-settings.ts";
import { loadSettings } from "../../../settings/load-settings.ts";
import type { Environment } from "../../../support/environment.ts";

/** The files of a folder that need trust. */
interface FolderWishes {
  /** The names of the Python files in `.granary/modules`. */
  readonly modules: readonly string[];
  readonly settings: readonly DescribedSetting[];
}

/** Reads files, and runs nothing. */
export async function folderWishes(
  folder: string,
  { env, home }: { readonly env: Environment; readonly home: string },
): Promise<FolderWishes> {
  const names = await readdir(join(folder, ".granary", "modules")).catch(() => []);
  const { leftOut } = await loadSettings({ cwd: folder, env, home, trust: false });
  const all = describeSettings(await loadSettings({ cwd: folder, env: {}, home, trust: true }));
  return {
    modules: names.filter((name) => name.endsWith(".py")).sort(),
    settings: all.filter(({ name }) => leftOut.includes(name)),
  };
}

export function wishLines({ modules, settings }: FolderWishes): readonly string[] {
  const lines = [
    ...modules.map((name) => `  .granary/modules/${visibleLine(name)} runs in every kernel`),
    ...settings.map(
      ({ name, value }) => `  .granary/settings.json sets ${name} to ${visibleLine(JSON.stringify(value))}`,
    ),
  ];
  const here = lines.length === 0 ? ["  nothing that needs trust, at present"] : lines;
  return [...here, "  and all modules and settings of folders below, but of no repository inside"];
}
