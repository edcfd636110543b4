import { parseArtifactId } from "./artifact-id.ts";

/**
 * The files of the store, by name:
 * `<id>.<ending>` is an artifact,
 * `.<id>.writing` exists during the write and names the writing process,
 * `.<id>.gone` records the number of a removed artifact, so that its address is never reused.
 */
export interface StoreFileName {
  readonly type: "artifact" | "writing" | "gone";
  readonly id: string;
  readonly label: string;
  readonly number: number;
  readonly ending: string;
}

export function artifactFileName(id: string, ending: string): string {
  return `${id}.${ending}`;
}

export function markFileName(id: string, type: "writing" | "gone"): string {
  return `.${id}.${type}`;
}

/** Null for a file of another program. */
export function parseFileName(name: string): StoreFileName | null {
  const match = /^(\.?)(.+)\.([a-z0-9]{1,8})$/.exec(name);
  if (match === null) return null;
  const [, dot = "", id = "", ending = ""] = match;
  const parsed = parseArtifactId(id);
  if (parsed === null) return null;
  if (dot === "") return { type: "artifact", id, ending, ...parsed };
  return ending === "writing" || ending === "gone" ? { type: ending, id, ending, ...parsed } : null;
}

/** The highest number of an existing or removed artifact; 0 if there is none. */
export function highestNumber(names: readonly string[], label: string): number {
  let highest = 0;
  for (const name of names) {
    // Most names need no regular expression.
    if (!name.includes(label)) continue;
    const file = parseFileName(name);
    if (file !== null && file.type !== "writing" && file.label === label) highest = Math.max(highest, file.number);
  }
  return highest;
}
