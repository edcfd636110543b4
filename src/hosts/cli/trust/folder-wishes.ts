import { visibleLine } from "../../../output/text/visible-text.ts";
import { findModules } from "../../../session/bootstrap/extension-modules.ts";
import { type DescribedSetting, describeSettings } from "../../../settings/describe-settings.ts";
import { loadSettings } from "../../../settings/load-settings.ts";
import type { Environment } from "../../../support/environment.ts";
import { mayAllWrite } from "../../../support/files/foreign/strangers.ts";
import { sayCount } from "../../../support/say-count.ts";
import { clamp } from "../../../view/text/fit.ts";

/** The files of a folder that need trust. */
interface FolderWishes {
  readonly folder: string;
  /** The names of the Python files in `.granary/modules`. */
  readonly modules: readonly string[];
  readonly settings: readonly DescribedSetting[];
  /** Files of other users, which trust does not cover. */
  readonly ofStrangers: readonly string[];
  readonly isForAll: boolean;
}

/** Reads files, and runs nothing. */
export async function folderWishes(
  folder: string,
  { env, home }: { readonly env: Environment; readonly home: string },
): Promise<FolderWishes> {
  const found = await findModules({ home, cwd: folder, projectModules: true, trustsFolder: async () => false });
  const { leftOut, ofStrangers } = await loadSettings({ cwd: folder, env, home, trust: false });
  const all = describeSettings(await loadSettings({ cwd: folder, env: {}, home, trust: true }));
  return {
    folder,
    modules: [...found.leftOut].sort(),
    settings: all.filter(({ name }) => leftOut.includes(name)),
    ofStrangers: [...ofStrangers, ...found.ofStrangers],
    isForAll: await mayAllWrite(folder),
  };
}

/** The last line says again what the folder may have pushed off the screen. */
export function trustQuestion(wishes: FolderWishes): string {
  const { modules, settings } = wishes;
  const folder = short(wishes.folder, longestPath);
  const counts = `${sayCount(modules.length, "module")} and ${sayCount(settings.length, "setting")}`;
  return [`In ${folder}:`, ...wishLines(wishes), `Trust ${folder}, with ${counts}? [y/N] `].join("\n");
}

function wishLines({ modules, settings, ofStrangers, isForAll }: FolderWishes): readonly string[] {
  const more = modules.length - mostModules;
  const lines = [
    ...modules.slice(0, mostModules).map((name) => `  .granary/modules/${short(name)} runs in every kernel`),
    ...(more > 0 ? [`  and so do ${sayCount(more, "more module")}`] : []),
    ...settings.map(({ name, value }) => `  .granary/settings.json sets ${name} to ${short(JSON.stringify(value))}`),
  ];
  const here = lines.length === 0 ? ["  nothing that needs trust, at present"] : lines;
  const atPresent = ofStrangers.length === 0 ? "" : `, at present ${sayCount(ofStrangers.length, "file")}`;
  return [
    ...here,
    "  and all modules and settings of folders below, but of no repository inside",
    ...(isForAll ? [`  but nothing that other users put into it, because all users may write there${atPresent}`] : []),
  ];
}

const mostModules = 10;
const longestPath = 200;

/** Names and values are the folder's own words: blanks could draw lines, and long ones push others off the screen. */
function short(text: string, width = 60): string {
  return clamp(visibleLine(text).replace(/[\s\u2800]{2,}/g, " "), width);
}
