import type { ShellFunction } from "./portrait.ts";

/**
 * The functions worth taking over: those a person calls, and whatever these call in turn. Names that begin with `_`
 * are otherwise left out: by custom they are internal, and most belong to tab completion, hundreds of them, which every
 * command would have to read.
 */
export function calledFunctions(functions: readonly ShellFunction[], aliases: Iterable<string>): ShellFunction[] {
  const internal = new Map(functions.filter(isInternal).map((one) => [one.name, one]));
  const called = functions.filter((one) => !isInternal(one));
  const texts = [...aliases, ...called.map((one) => one.definition)];
  // Grows while it is walked: what is found is looked at in turn.
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
