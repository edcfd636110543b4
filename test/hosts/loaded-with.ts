import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";

/** Every module that is loaded with this one, without later `import()` calls. */
export function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const source = readFileSync(inRepository(file), "utf8");
  for (const [, specifier = ""] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm)) {
    const isOurs = specifier.startsWith(".");
    if (isOurs) loadedWith(relative("/", join("/", file, "..", specifier)), loaded);
    else loaded.add(specifier);
  }
  return loaded;
}
