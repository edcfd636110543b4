import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Pythons on this machine that are too old for Granary, where there are any. */
export function oldPythons(): readonly string[] {
  const versions = join(homedir(), ".pyenv/versions");
  const folders = [
    ...(process.env.PATH ?? "").split(":"),
    ...list(versions).map((name) => join(versions, name, "bin")),
  ];
  const found = folders.flatMap((folder) =>
    list(folder)
      .filter((name) => /^python(2\.7|3\.[4-7])$/.test(name) && !folder.endsWith("/shims"))
      .map((name) => join(folder, name)),
  );
  return [...new Set(found)];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
