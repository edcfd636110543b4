import { statSync } from "node:fs";

/** Inside, root has only the rights of an owner. Null where that is enough to write in the folder. */
export function sayForeign(folder: string): string | null {
  if (process.getuid?.() !== 0) return null;
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.uid === 0) return null;
  const ofGroup = [process.getgid?.(), ...(process.getgroups?.() ?? [])].includes(found.gid);
  if ((found.mode & (ofGroup ? 0o020 : 0o002)) !== 0) return null;
  return `${sayOwner(folder, found.uid)}, and in a sandbox root may change only its own files. Run Granary as that user.`;
}

/** The file that keeps root out, or the folder where it was to be. Null where it is root's own. */
export function foreignOwner(path: string): string | null {
  if (process.getuid?.() !== 0) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.uid === 0 ? null : sayOwner(path, found.uid);
}

function sayOwner(path: string, uid: number): string {
  return `${path} belongs to another user (uid ${uid})`;
}
