import { basename, join } from "node:path";
import { withFoldersAbove } from "../../support/files/foreign/project-folders.ts";
import { packageFile } from "../../support/files/package-file.ts";

/** The folders of packages that Granary was installed with: the one in it, and those that it is in itself. */
export function packageFolders(): readonly string[] {
  const own = packageFile("").replace(/\/$/, "");
  const around = withFoldersAbove(own).filter((path) => basename(path) === "node_modules");
  return [join(own, "node_modules"), ...around];
}
