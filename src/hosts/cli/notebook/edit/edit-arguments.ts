import { type CellType, cellTypes } from "../../../../notebook/cell.ts";
import type { CellAddress } from "../../../../notebook/edit/address.ts";
import { parseAddress } from "../../../../notebook/edit/cell-addresses.ts";
import type { InsertPlace, NotebookEdit, OldOutputs } from "../../../../notebook/edit/edit-action.ts";
import { parseWithNumbers } from "../../command/parse-arguments.ts";
import { UsageError } from "../../command/usage-error.ts";
import { requireFile } from "../one-file.ts";

export type EditAction = NotebookEdit["action"];

export interface EditArguments {
  readonly file: string;
  readonly json: boolean;
  /** As typed; undefined when it comes from standard input, if it is needed. */
  readonly content: string | undefined;
  /** Makes the edit; reads the content if the edit needs one. */
  edit(readContent: () => Promise<string>): Promise<NotebookEdit>;
}

const common = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
const content = { content: { type: "string", short: "c", multiple: true } } as const;
const outputs = { "clear-outputs": { type: "boolean" } } as const;

const optionsOf = {
  edit: { ...common, ...content, ...outputs },
  insert: {
    ...common,
    ...content,
    at: { type: "string" },
    before: { type: "string" },
    after: { type: "string" },
    type: { type: "string" },
  },
  delete: common,
  move: common,
  replace: { ...common, ...outputs, old: { type: "string" }, new: { type: "string" }, all: { type: "boolean" } },
  type: common,
  clear: common,
  split: { ...common, line: { type: "string" } },
  merge: { ...common, count: { type: "string" } },
} as const;

/** The options of all commands; the table above says which command takes which. */
interface Values {
  readonly json?: boolean;
  readonly help?: boolean;
  readonly content?: readonly string[];
  readonly "clear-outputs"?: boolean;
  readonly at?: string;
  readonly before?: string;
  readonly after?: string;
  readonly type?: string;
  readonly old?: string;
  readonly new?: string;
  readonly all?: boolean;
  readonly line?: string;
  readonly count?: string;
}

export function parseEditArguments(action: EditAction, args: readonly string[]): EditArguments | "help" {
  const parsed = parseWithNumbers(args, optionsOf[action]);
  const values: Values = parsed.values;
  if (values.help) return "help";
  const [file, ...rest] = requireFile(parsed.positionals, action);
  const words = new Words(action, rest);
  const edit = editOf(action, values, words);
  words.expectEnd();
  return { file, json: values.json ?? false, content: onlyContent(action, values), edit };
}

function onlyContent(action: EditAction, { content = [] }: Values): string | undefined {
  if (content.length > 1)
    throw new UsageError(`${action} takes one --content, and got ${content.length}: one cell each.`);
  return content[0];
}

function editOf(action: EditAction, values: Values, words: Words): EditArguments["edit"] {
  switch (action) {
    case "edit": {
      const cell = words.cell();
      return async (read) => ({ action, cell, content: await read(), outputs: oldOutputs(values) });
    }
    case "insert": {
      const place = placeOf(values);
      const cellType = cellTypeOf("--type", values.type ?? "code");
      return async (read) => ({ action, cellType, ...place, content: await read() });
    }
    case "replace": {
      const { old, new: replacement, all = false } = values;
      if (old === undefined || replacement === undefined) {
        throw new UsageError("replace needs --old TEXT and --new TEXT.");
      }
      if (old === "") throw new UsageError("--old is empty, which is everywhere. Give the text to replace.");
      const edit = { action, cell: words.cell(), old, new: replacement, all, outputs: oldOutputs(values) };
      return async () => edit;
    }
    default: {
      const edit = shortEdit(action, values, words);
      return async () => edit;
    }
  }
}

/** Edits that need no text. */
function shortEdit(
  action: Exclude<EditAction, "edit" | "insert" | "replace">,
  values: Values,
  words: Words,
): NotebookEdit {
  switch (action) {
    case "delete":
      return { action, cell: words.cell() };
    case "move":
      return { action, cell: words.cell(), to: wholeNumber("TO", words.next("TO")) };
    case "type":
      return { action, cell: words.cell(), cellType: cellTypeOf("TYPE", words.next("TYPE")) };
    case "clear":
      return words.hasMore ? { action, cell: words.cell() } : { action };
    case "split":
      if (values.line === undefined) throw new UsageError("split needs --line N: where the second cell begins.");
      return { action, cell: words.cell(), line: wholeNumber("--line", values.line) };
    case "merge":
      return { action, cell: words.cell(), count: countOf(values.count ?? "2") };
  }
}

function placeOf({ at, before, after }: Values): InsertPlace {
  const given = [at, before, after].filter((place) => place !== undefined);
  if (given.length > 1) throw new UsageError("Give one of --at, --before and --after.");
  if (before !== undefined) return { before: parseAddress(before) };
  if (after !== undefined) return { after: parseAddress(after) };
  return at === undefined ? {} : { at: wholeNumber("--at", at) };
}

function oldOutputs({ "clear-outputs": clear = false }: Values): OldOutputs {
  return clear ? "clear" : "keep";
}

function cellTypeOf(name: string, typed: string): CellType {
  const known = cellTypes.find((type) => type === typed);
  if (known !== undefined) return known;
  throw new UsageError(`${name} is one of ${cellTypes.join(", ")}; got ${JSON.stringify(typed)}.`);
}

function wholeNumber(name: string, typed: string): number {
  if (/^-?\d+$/.test(typed)) return Number(typed);
  throw new UsageError(`${name} takes a number, as in 3; got ${JSON.stringify(typed)}.`);
}

function countOf(typed: string): number {
  const count = wholeNumber("--count", typed);
  if (count >= 2) return count;
  throw new UsageError(`--count is how many cells become one, so it takes 2 or more; got ${count}.`);
}

/** The arguments after the file, one after the other. */
class Words {
  readonly #action: string;
  readonly #words: string[];

  constructor(action: string, words: readonly string[]) {
    this.#action = action;
    this.#words = [...words];
  }

  get hasMore(): boolean {
    return this.#words.length > 0;
  }

  cell(): CellAddress {
    return parseAddress(this.next("CELL"));
  }

  next(name: string): string {
    const word = this.#words.shift();
    if (word !== undefined) return word;
    throw new UsageError(`${name} is missing. See: granary notebook ${this.#action} --help`);
  }

  expectEnd(): void {
    if (!this.hasMore) return;
    throw new UsageError(`${this.#words.join(" ")} is too much. (Quote text with spaces in it.)`);
  }
}
