import { delimiter } from "node:path";
import { withoutFolderPrograms } from "../../python/find/in-folder.ts";
import { leadsInto } from "../../sandbox/leads-into.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import type { Environment } from "../../support/environment.ts";
import { knownPlaces } from "../../support/files/foreign/known-places.ts";

/**
 * PATH for programs that Granary starts for the user, such as an editor: without programs of the folder, as in an activated
 * environment, and of folders that code in a sandbox could write.
 */
export async function pathOutside(place: {
  readonly cwd: string;
  readonly env: Environment;
}): Promise<string | undefined> {
  const { PATH } = (await withoutFolderPrograms(place)).env;
  const places = knownPlaces(granaryHome(place.env));
  const kept = PATH?.split(delimiter).filter((folder) => !leadsInto(places, folder)) ?? [];
  return kept.length === 0 ? undefined : kept.join(delimiter);
}
