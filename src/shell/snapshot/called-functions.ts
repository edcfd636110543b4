import type { ShellFunction } from "./portrait.ts";

/**
 * The functions to take over: those that a person calls, and the functions that these call. Other names that begin with `_`
 * are left out: by custom they are internal, and most belong to tab completion, hundreds of them, which every
 * command would have to read.
 */
export function calledFunctions(functions: readonly ShellFunction[], aliases: Iterable<string>): ShellFunction[] {
  const internal = new Map(functions.filter(isInternal).map((one) => [one.name, one]));
  const called = functions.filter((one) => !isInternal(one));
  const texts = [...aliases, ...called.map((one) => one.definition)];
  // Grows during the loop: functions that it finds are searched in turn.
  for (const text of texts) {
    for (const [word] of text.matchAll(/_[\w:.@+-]*/g)) {
      const found = internal.get(word);
      if (found === undefined) continue;
      internal.delete(word);
      called.push(found);
      texts.push(found.definition);
    }
  }
  return called;
}

function isInternal({ name }: ShellFunction): boolean {
  return name.startsWith("_");
}
