import { realpath, stat } from "node:fs/promises";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";
import { whileLocked } from "../../support/files/locked-file.ts";
import { makeFolder } from "../../support/files/make-folder.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { rememberedFolders, type TrustedFolder, trustFile } from "./trusted-folders.ts";

/** Remembers a folder as trusted, until it has another owner. */
export async function trustFolder(folder: string, home: string, now = new Date()): Promise<TrustedFolder> {
  const path = await realpath(folder).catch((cause) => {
    throw new GranaryError("no-folder", `${folder} cannot be trusted: ${systemReason(cause)}.`, { cause });
  });
  const { uid: owner } = await stat(path);
  const trusted = { path, owner, since: now.toISOString().slice(0, 10) };
  await change(home, (others) => [...others.filter((other) => other.path !== path), trusted]);
  return trusted;
}

/** @returns whether it was trusted */
export async function distrustFolder(folder: string, home: string): Promise<boolean> {
  // A folder that is gone can be forgotten too.
  const path = await realpath(folder).catch(() => folder);
  if (!(await rememberedFolders(home)).some((other) => other.path === path)) return false;
  await change(home, (others) => others.filter((other) => other.path !== path));
  return true;
}

type Change = (before: readonly TrustedFolder[]) => readonly TrustedFolder[];

async function change(home: string, after: Change): Promise<void> {
  const file = trustFile(home);
  try {
    await makeFolder(home);
    await whileLocked(file, {}, async () => {
      const text = `${JSON.stringify(after(await rememberedFolders(home)), null, 1)}\n`;
      await writeFileAtomically(file, text, { mode: 0o600 });
    });
  } catch (cause) {
    if (isGranaryError(cause, "unreadable")) throw cause;
    const remedy = "Make that folder writable, or name another with the variable GRANARY_HOME.";
    throw new GranaryError("not-writable", `${file} cannot be written: ${systemReason(cause)}. ${remedy}`, { cause });
  }
}
