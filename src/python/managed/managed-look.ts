import { join } from "node:path";
import { readdir } from "../../support/files/look.ts";
import { readFacts } from "../find/read-facts.ts";

/** The facts that the files of an environment tell, where its Python must not start. */
export async function lookAtManaged(
  path: string,
  packages: readonly string[],
): Promise<{ readonly version: string; readonly packages: Readonly<Record<string, string>> } | null> {
  const facts = await readFacts({ executable: join(path, "bin", "python"), virtualEnvironment: path });
  if (facts === null) return null;
  const names = (await Promise.all(facts.sitePackages.map((folder) => readdir(folder).catch(() => [])))).flat();
  const versions = packages.map((name) => [name, versionIn(names, name)] as const);
  const found = versions.flatMap(([name, version]) => (version === null ? [] : [[name, version] as const]));
  return { version: facts.version, packages: Object.fromEntries(found) };
}

function versionIn(names: readonly string[], name: string): string | null {
  const information = new RegExp(`^${name}-(.+)\\.dist-info$`);
  return names.flatMap((each) => information.exec(each)?.[1] ?? [])[0] ?? null;
}
