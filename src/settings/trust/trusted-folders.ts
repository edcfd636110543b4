import { readFileSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { knownPlaces } from "../../support/files/foreign/known-places.ts";
import { isRepository } from "../../support/files/foreign/project-folders.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** A folder whose own files may name programs, and run code when a kernel starts. */
export interface TrustedFolder {
  /** Without symbolic links. */
  readonly path: string;
  /** The number of the user who owned it then: a folder that someone else puts in its place is another one. */
  readonly owner: number;
  /** The day, as in `2026-11-17`. */
  readonly since: string;
}

/**
 * Whether the user trusts a folder: itself, or a folder above it up to the root of its repository. A repository that was
 * cloned into a trusted folder is not trusted, nor is a folder of a sandbox by the trust in another, because its code could write files there.
 * @param home Granary's own folder, which remembers the answer
 */
export async function isTrusted(folder: string, home: string): Promise<boolean> {
  return (await trustedAround(folder, home)) !== null;
}

/** The folder that the user trusted, for one that is trusted: itself or one above it; null for any other. */
export async function trustedAround(folder: string, home: string): Promise<string | null> {
  const trusted = await trustedFolders(home);
  if (trusted.length === 0) return null;
  const real = await realpath(folder).catch(() => null);
  if (real === null) return null;
  const { uid } = await stat(real);
  for await (const place of withTrustAbove(real, home)) {
    if (trusted.some(({ path, owner }) => path === place && owner === uid)) return place;
  }
  return null;
}

/**
 * The word of a caller for one folder, as it counts in another: consent reaches as far as that of `granary trust`, and
 * elsewhere the user's own counts. An agent may name any folder.
 * @param base the folder that the caller spoke about
 * @returns undefined to ask what the user has told
 */
export async function consentIn(folder: string, base: string, consent: boolean | undefined, home: string) {
  if (consent !== true || folder === base) return consent;
  const [real, realBase] = await Promise.all([folder, base].map((path) => realpath(path).catch(() => null)));
  if (!real || !realBase) return undefined;
  const [inner, outer] = await Promise.all([stat(real), stat(realBase)]);
  if (inner.uid !== outer.uid) return undefined;
  for await (const place of withTrustAbove(real, home)) if (place === realBase) return true;
  return undefined;
}

/** The folder, and those above whose trust covers it. */
async function* withTrustAbove(real: string, home: string): AsyncGenerator<string> {
  const isOfCode = knownPlaces(home).some((place) => `${real}/`.startsWith(`${place}/`));
  if (isOfCode) yield real;
  else yield* upToRepository(real);
}

async function* upToRepository(real: string): AsyncGenerator<string> {
  yield real;
  const isTop = dirname(real) === real;
  if (!isTop && !(await isRepository(real))) yield* upToRepository(dirname(real));
}

/** In the order in which they were trusted. A damaged file trusts nothing. */
export async function trustedFolders(home: string): Promise<readonly TrustedFolder[]> {
  return rememberedFolders(home).catch(() => []);
}

/** The same, for commands that show or change the list: another user or program may want the damaged file back. */
export async function rememberedFolders(home: string): Promise<readonly TrustedFolder[]> {
  const file = trustFile(home);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return "[]";
    throw damaged(file, systemReason(error), error);
  });
  const found = parsed(text);
  if (!Array.isArray(found) || !found.every(isTrustedFolder)) throw damaged(file, "it is no list of folders");
  return found;
}

/** The paths of all trusted folders. */
export function trustedPaths(home: string): readonly string[] {
  try {
    const found = parsed(readFileSync(trustFile(home), "utf8"));
    return Array.isArray(found) ? found.filter(isTrustedFolder).map(({ path }) => path) : [];
  } catch {
    return [];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function damaged(file: string, why: string, cause?: Error): GranaryError {
  const sentence = `${file}, which remembers the trusted folders, cannot be read: ${why}. No folder is trusted until you correct or remove it.`;
  return new GranaryError("unreadable", sentence, { cause });
}

/** The file that remembers trusted folders. */
export function trustFile(home: string): string {
  return join(home, "trusted.json");
}

function isTrustedFolder(value: unknown): value is TrustedFolder {
  const { path, owner, since } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof path === "string" && typeof owner === "number" && typeof since === "string";
}
