/** A parameter of a notebook, declared in the cell with the tag `parameters`. */
export interface DeclaredParameter {
  readonly name: string;
  /** By its annotation, or by its default; null when neither tells. */
  readonly type: string | null;
  /** As it is written. */
  readonly default: string;
  /** The comment after it. */
  readonly help: string;
}

/** The variables that a cell assigns at its top level. */
export function declaredParameters(source: string): readonly DeclaredParameter[] {
  const declared = new Map<string, DeclaredParameter>();
  for (const { text, comment, isIndented } of statementsOf(source)) {
    const { targets, value } = assignment(text);
    const [, commentType, help = ""] = /^(?:type:\s*(\S+)\s*)?([\s\S]*)$/.exec(comment) ?? [];
    for (const target of isIndented || value === null ? [] : targets) {
      const [, name, annotation] = /^([\p{L}_][\p{L}\p{N}_]*)\s*(?::\s*["']?([^"']*?)["']?\s*)?$/u.exec(target) ?? [];
      if (name === undefined) continue;
      const type = annotation ?? commentType ?? typeOf(value as string);
      declared.set(name, { name, type, default: (value as string).replace(/\s*\n\s*/g, " "), help: help.trim() });
    }
  }
  return [...declared.values()];
}

/** Every name that a cell assigns, at any depth. */
export function assignedNames(source: string): ReadonlySet<string> {
  const names = statementsOf(source).flatMap(({ text }) => {
    const { targets } = assignment(text.replace(/^(?:if|else|elif|for|while|with|try|except|finally)\b[^:]*:\s*/, ""));
    return targets.flatMap((target) => target.replace(/:[^,]*$/, "").match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
  });
  return new Set(names);
}

interface Statement {
  readonly text: string;
  /** After it, without its sign. */
  readonly comment: string;
  readonly isIndented: boolean;
}

const token = /("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*\1|(["'])(?:\\[\s\S]|(?!\2)[^\n])*\2|#[^\n]*|\\\n|[\s\S]/g;

/** Python's logical lines: brackets and strings may go over several, and a semicolon ends one. */
function statementsOf(source: string): readonly Statement[] {
  const statements: Statement[] = [];
  let text = "";
  let comment = "";
  let depth = 0;
  let isFirstOfLine = true;
  let isIndented = false;
  for (const [part] of `${source}\n`.matchAll(token)) {
    if (part.startsWith("#")) comment = part.slice(1).trim();
    else if ("([{".includes(part)) depth += 1;
    else if (")]}".includes(part)) depth -= 1;
    const isEnd = depth <= 0 && (part === "\n" || part === ";");
    if (!isEnd) {
      if (!part.startsWith("#")) text += part === "\\\n" ? " " : part;
      continue;
    }
    if (isFirstOfLine) isIndented = /^[ \t]/.test(text);
    if (text.trim() !== "") statements.push({ text: text.trim(), comment, isIndented });
    isFirstOfLine = part === "\n";
    text = "";
    comment = "";
  }
  return statements;
}

/** `a: int = b = 3` → a: int, b; 3 */
function assignment(text: string): { readonly targets: readonly string[]; readonly value: string | null } {
  const parts = [""];
  let depth = 0;
  for (const [part] of text.matchAll(/("""|''')[\s\S]*?\1|(["'])(?:\\.|(?!\2).)*\2|[=!<>:+\-*/%&|^@]=+|[\s\S]/g)) {
    if ("([{".includes(part)) depth += 1;
    if (")]}".includes(part)) depth -= 1;
    if (part === "=" && depth === 0) parts.push("");
    else parts[parts.length - 1] += part;
  }
  const value = parts.length > 1 ? (parts.at(-1) as string).trim() : null;
  return { targets: parts.slice(0, -1).map((part) => part.trim()), value };
}

function typeOf(value: string): string | null {
  return literals.find(([pattern]) => pattern.test(value))?.[1] ?? null;
}

const literals: readonly (readonly [pattern: RegExp, type: string])[] = [
  [/^(?:True|False)$/, "bool"],
  [/^[+-]?(?:\d[\d_]*|0[xob][\da-f_]+)$/i, "int"],
  [/^[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?$/i, "float"],
  [/^(?:[rfu]|rf|fr)?["'][\s\S]*["']$/i, "str"],
  [/^(?:b|rb|br)["'][\s\S]*["']$/i, "bytes"],
  [/^\[[\s\S]*\]$/, "list"],
  [/^\{(?:\s*|[^{}]*:[\s\S]*)\}$/, "dict"],
];
