import { visibleLine } from "../output/text/visible-text.ts";
import type { SettingName } from "../settings/settings.ts";
import { shellWord } from "../support/shell-word.ts";

export interface LeftOut {
  /** The file names of modules in `.granary/modules`. */
  readonly modules: readonly string[];
  readonly settings: readonly SettingName[];
  /** Files of other users in a folder that all users may write. */
  readonly ofStrangers: readonly string[];
}

/** Everything that the user should know about files that were not used: a sentence for each reason. */
export function whatIsLeftOut(folder: string, leftOut: LeftOut): readonly string[] {
  const { modules, settings, ofStrangers } = leftOut;
  return [
    ...(modules.length + settings.length === 0 ? [] : [sayLeftOut(folder, leftOut)]),
    ...(ofStrangers.length === 0 ? [] : [sayStrangers(folder, ofStrangers)]),
  ];
}

/** The user's trust in a folder is no trust in all users of the machine. */
export function sayStrangers(folder: string, files: readonly string[]): string {
  return (
    `Not used, because other users put them into ${visibleLine(folder)}, which all users may write: ` +
    `${files.map(visibleLine).join(", ")}. To use one, make a copy that is yours.`
  );
}

/** Names the files of an untrusted folder that Granary did not use, and the command that allows them, in any working folder. */
export function sayLeftOut(folder: string, { modules, settings }: Omit<LeftOut, "ofStrangers">): string {
  const files = modules.length === 0 ? [] : [`.granary/modules/${modules.map(visibleLine).join(", ")}`];
  const names = settings.length === 0 ? [] : [`${settings.join(", ")} of .granary/settings.json`];
  return (
    `Not used, because you have not trusted ${visibleLine(folder)}: ${[...files, ...names].join("; ")}. ` +
    `If you know where this folder comes from, allow it with: granary trust ${shellWord(visibleLine(folder))}`
  );
}
