/** A profile of Seatbelt as data: its rules decide by the last one that fits. Covers what our own profile uses. */
export type Form = string | readonly Form[];

interface Rule {
  readonly allows: boolean;
  readonly operations: readonly string[];
  readonly filters: readonly Form[];
}

/** Throws where parentheses or quotes do not match. */
export function readForms(text: string): readonly Form[] {
  const tokens = text.match(/#?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g) ?? [];
  const open: Form[][] = [[]];
  for (const token of tokens) {
    if (token === "(") open.push([]);
    else if (token === ")") {
      const done = open.pop() ?? [];
      const around = open.at(-1);
      if (around === undefined) throw new Error("a parenthesis too many");
      around.push(done);
    } else open.at(-1)?.push(token);
  }
  if (open.length !== 1) throw new Error("a parenthesis is missing");
  return open[0] ?? [];
}

export function rulesOf(text: string): readonly Rule[] {
  return readForms(text).flatMap((form) => {
    const [verb, ...rest] = form as readonly Form[];
    if (verb !== "allow" && verb !== "deny") return [];
    const isFilter = (part: Form): boolean => typeof part !== "string";
    return [
      {
        allows: verb === "allow",
        operations: rest.filter((part) => !isFilter(part)) as readonly string[],
        filters: rest.filter(isFilter),
      },
    ];
  });
}

/** Whether a program may do this to a path, or with a socket at that path. */
export function allows(
  { text, parameters }: { readonly text: string; readonly parameters: Readonly<Record<string, string>> },
  operation: string,
  path: string,
): boolean {
  const fits = (filter: Form): boolean => {
    const [kind, ...rest] = filter as readonly Form[];
    if (kind === "literal" || kind === "path-literal") return rest.some((value) => textOf(value, parameters) === path);
    if (kind === "subpath") return rest.some((value) => `${path}/`.startsWith(`${textOf(value, parameters)}/`));
    if (kind === "regex") return new RegExp(String(rest[0]).slice(2, -1)).test(path);
    if (kind === "require-all") return rest.every(fits);
    if (kind === "remote" || kind === "local") return rest.some((part) => typeof part !== "string" && fits(part));
    return false; // a filter of something else than a path
  };
  let answer = false;
  for (const rule of rulesOf(text)) {
    const isMeant = rule.operations.some(
      (name) =>
        name === "default" || name === operation || (name.endsWith("*") && operation.startsWith(name.slice(0, -1))),
    );
    if (isMeant && (rule.filters.length === 0 || rule.filters.some(fits))) answer = rule.allows;
  }
  return answer;
}

function textOf(form: Form, parameters: Readonly<Record<string, string>>): string {
  if (typeof form === "string") return form.slice(1, -1);
  const value = parameters[String(form[1]).slice(1, -1)];
  if (form[0] !== "param" || value === undefined) throw new Error(`no such parameter: ${JSON.stringify(form)}`);
  return value;
}
