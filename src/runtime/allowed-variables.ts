import { looksSecret } from "../python/secret-names.ts";
import type { LoadedSettings } from "../settings/load-settings.ts";

/** The names of `python.allowEnv`. A file that came with a cloned folder cannot allow what looks like a secret. */
export function allowedVariables({ values, origins }: LoadedSettings): readonly string[] {
  const names = values.python.allowEnv;
  if (origins["python.allowEnv"].from !== "project-file") return names;
  return names.filter((name) => name.endsWith("*") || !looksSecret(name));
}
