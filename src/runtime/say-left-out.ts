import { visibleLine } from "../output/text/visible-text.ts";
import type { SettingName } from "../settings/settings.ts";

export interface LeftOut {
  /** The file names of modules in `.granary/modules`. */
  readonly modules: readonly string[];
  readonly settings: readonly SettingName[];
}

/** Names the files of an untrusted folder that Granary did not use, and the command that allows them. */
export function sayLeftOut(folder: string, { modules, settings }: LeftOut): string {
  const files = modules.length === 0 ? [] : [`.granary/modules/${modules.map(visibleLine).join(", ")}`];
  const names = settings.length === 0 ? [] : [`${settings.join(", ")} of .granary/settings.json`];
  return (
    `Not used, because you have not trusted ${visibleLine(folder)}: ${[...files, ...names].join("; ")}. ` +
    "If you know where this folder comes from, allow it with: granary trust"
  );
}
