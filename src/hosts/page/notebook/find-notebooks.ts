import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { NotebookListing } from "../api/notebooks.ts";

const mostNotebooks = 200;
const mostFolders = 2000;
const deepest = 8;
/** Folders of installed packages have notebooks of their own. */
const passedOver = new Set(["node_modules", "__pycache__", "site-packages", "venv", "env"]);

type Found = NotebookListing["notebooks"][number];

/** The notebooks below a folder, nearest first. Follows no links, and enters no hidden folders. */
export async function findNotebooks(folder: string): Promise<NotebookListing> {
  const notebooks: Found[] = [];
  let level = [""];
  let folders = 0;
  for (let depth = 0; level.length > 0 && depth <= deepest; depth++) {
    const next: string[] = [];
    for (const below of level) {
      folders += 1;
      if (folders > mostFolders) return { notebooks, isCut: true };
      for (const entry of await entriesOf(join(folder, below))) {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        if (isEntered(entry)) next.push(path);
        if (!entry.isFile() || !entry.name.endsWith(".ipynb") || entry.name.startsWith(".")) continue;
        if (notebooks.length === mostNotebooks) return { notebooks, isCut: true };
        const facts = await stat(join(folder, path)).catch(() => null);
        if (facts !== null) notebooks.push({ path, bytes: facts.size, modifiedAt: facts.mtimeMs });
      }
    }
    level = next;
  }
  return { notebooks, isCut: level.length > 0 };
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((one, other) => one.name.localeCompare(other.name));
}

function isEntered(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name);
}
