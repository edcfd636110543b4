import { constants } from "node:fs";
import { readFile } from "node:fs/promises";
import { projectPlaces } from "../../../runtime/sandbox/writable-places.ts";
import { entered, linkWithin, outermost } from "../../../sandbox/leads-into.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { loadSettings } from "../../../settings/load-settings.ts";
import type { Environment } from "../../../support/environment.ts";
import { knownPlaces } from "../../../support/files/foreign/known-places.ts";
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
  const home = granaryHome(env);
  const own = projectPlaces({ cwd: code.folder, top: code.top, env });
  // Only a link makes a difference, and settings take longer to read.
  const isLimited = linkWithin(own, path) !== null && (await isSandboxed(code, env, home));
  const place = entered([...knownPlaces(home), ...(isLimited ? outermost(own) : [])], path);
  if (place === null) return readFile(path);
  const { withoutSecrets } = await import("../../../runtime/sandbox/sandbox-roots.ts");
  await using held = await holdFile(path, withoutSecrets(place, env));
  await using file = await openRegular(held.at, constants.O_RDONLY | withoutLinks);
  return await file.readFile();
}

async function isSandboxed({ folder, top, sandbox }: ReadingCode, env: Environment, home: string): Promise<boolean> {
  if (sandbox !== undefined) return sandbox !== "off";
  return (await loadSettings({ cwd: folder, top, env, home })).values.python.sandbox !== "off";
}

/** The folders for a file whose content another file gets: null, for any, unless code in an earlier sandbox may have put a link on the way to it. */
export async function readWithin(
  path: string,
  { env }: { readonly env: Environment },
): Promise<readonly string[] | null> {
  const place = entered(knownPlaces(granaryHome(env)), path);
  if (place === null) return null;
  const { withoutSecrets } = await import("../../../runtime/sandbox/sandbox-roots.ts");
  return withoutSecrets(place, env);
}

/** The folders for a file that the user saves: null, for any, unless code in an earlier sandbox may have put a link on the way to it. */
export async function saveWithin(
  path: string,
  { env }: { readonly env: Environment },
): Promise<readonly string[] | null> {
  const { laterSaveRoots } = await import("../../../runtime/sandbox/save-roots.ts");
  return laterSaveRoots(path, granaryHome(env), env);
}
