/** Reads the input of a call, which may be incomplete: a model may still be writing it. */

export function textIn(input: unknown, ...names: readonly string[]): string | null {
  const value = names.map((name) => fieldOf(input, name)).find((each) => typeof each === "string");
  return typeof value === "string" ? value : null;
}

export function numberIn(input: unknown, name: string): number | null {
  const value = fieldOf(input, name);
  return typeof value === "number" ? value : null;
}

export function isTrueIn(input: unknown, name: string): boolean {
  return fieldOf(input, name) === true;
}

export function listIn(input: unknown, name: string): readonly unknown[] {
  const value = fieldOf(input, name);
  return Array.isArray(value) ? value : [];
}

function fieldOf(input: unknown, name: string): unknown {
  if (input === null || typeof input !== "object" || !Object.hasOwn(input, name)) return undefined;
  return (input as Record<string, unknown>)[name];
}
