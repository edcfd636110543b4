import { constants } from "node:fs";
import { readFile } from "node:fs/promises";
import { earlier, foldersForFile, type Sandboxes } from "../../../runtime/sandbox/own-way.ts";
import { moreWritable, projectPlaces } from "../../../runtime/sandbox/writable-places.ts";
import { linkWithin, outermost } from "../../../sandbox/leads-into.ts";
import { realFolder } from "../../../session/real-folder.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { loadSettings } from "../../../settings/load-settings.ts";
import type { Environment } from "../../../support/environment.ts";
import { knownSandboxes } from "../../../support/files/foreign/known-places.ts";
import { openRegular } from "../../../support/files/foreign/regular-file.ts";
import { holdFile, withoutLinks } from "../../../support/files/held-file.ts";

/** The code that gets the content of a file. */
export interface ReadingCode {
  /** Its working folder. */
  readonly folder: string;
  /** A folder around it that the user works in. */
  readonly top?: string | undefined;
  /** The sandbox as it was typed; as the settings say where it was not. */
  readonly sandbox: string | undefined;
}

/**
 * Reads a file that the user named, for code. In a folder that code in a sandbox could write, or that came with the code of a
 * sandbox, a link may lead to a secret, and so leads to nothing outside of the folder.
 * A pipe there would block for ever.
 */
export async function readTypedFile(path: string, env: Environment, code: ReadingCode): Promise<Buffer> {
  const known = knownSandboxes(granaryHome(env));
  const earlierEnds = foldersForFile(path, known, { maker: earlier });
  const own = await ownSandboxes(path, env, code);
  const ends = own.length === 0 ? earlierEnds : foldersForFile(path, [...known, ...own], { maker: author });
  if (ends === null) return readFile(path);
  await using held = await holdFile(path, await readable(ends, env));
  await using file = await openRegular(held.at, constants.O_RDONLY | withoutLinks);
  return await file.readFile();
}

const author = "the author of the code for the sandbox";

/** The folders that came with the code of a sandbox. Only a link makes a difference, and settings take longer to read. */
async function ownSandboxes(path: string, env: Environment, { folder, top, sandbox }: ReadingCode): Promise<Sandboxes> {
  const own = projectPlaces({ cwd: folder, top, env });
  if (sandbox === "off" || linkWithin(own, path) === null) return [];
  const home = granaryHome(env);
  const settings = await loadSettings({ cwd: folder, top, env, home });
  if (sandbox === undefined && settings.values.python.sandbox === "off") return [];
  const more = moreWritable({ cwd: folder, env, home, settings }).map(realFolder);
  return outermost(own).map((place) => [place, ...more]);
}

async function readable(folders: readonly string[], env: Environment): Promise<readonly string[]> {
  const { withoutSecrets } = await import("../../../runtime/sandbox/sandbox-roots.ts");
  return [...new Set(folders.flatMap((folder) => withoutSecrets(folder, env)))];
}

/** The folders for a file whose content another file gets: null, for any, unless code in an earlier sandbox may have put a link on the way to it. */
export async function readWithin(
  path: string,
  { env }: { readonly env: Environment },
): Promise<readonly string[] | null> {
  const folders = foldersForFile(path, knownSandboxes(granaryHome(env)), { maker: earlier });
  return folders === null ? null : readable(folders, env);
}

/** The folders for a file that the user saves: null, for any, unless code in an earlier sandbox may have put a link on the way to it. */
export async function saveWithin(
  path: string,
  { env }: { readonly env: Environment },
): Promise<readonly string[] | null> {
  const { laterSaveRoots } = await import("../../../runtime/sandbox/save-roots.ts");
  return laterSaveRoots(path, granaryHome(env), env);
}
