import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { knownPlaces } from "../../../runtime/sandbox/known-places.ts";
import { entered } from "../../../sandbox/leads-into.ts";
import { realFolder } from "../../../session/real-folder.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { Environment } from "../../../support/environment.ts";
import { holdFile, withoutLinks } from "../../../support/files/held-file.ts";

/**
 * Reads a file that the user named, and whose content code gets. In a folder that code in a sandbox could write, or that came from
 * elsewhere, a link may lead to a secret, and so leads to nothing outside of the folder.
 * @param folder the working folder of a sandbox; without one, only folders of earlier sandboxes count
 */
export async function readTypedFile(path: string, env: Environment, folder?: string): Promise<Buffer> {
  const places = [...knownPlaces(granaryHome(env)), ...(folder === undefined ? [] : [realFolder(folder)])];
  const place = entered(places, path);
  if (place === null) return readFile(path);
  const { rootsIn } = await import("../../../runtime/sandbox/sandbox-roots.ts");
  await using held = await holdFile(path, rootsIn([place], place, env));
  await using file = await open(held.at, constants.O_RDONLY | withoutLinks);
  return await file.readFile();
}
