/** The user's variables, read without running any of the user's code. */
export interface VariableListing {
  /** Data first, then functions, classes and modules; within each in the order of definition. */
  readonly variables: readonly Variable[];
  /** The number of all variables, also of those that `maxVariables` left out. */
  readonly total: number;
}

export interface Variable {
  readonly name: string;
  readonly kind: "data" | "function" | "class" | "module";
  /** The name of its type, such as `dict` or `DataFrame`. */
  readonly type: string;
  /** The module of that type; null for Python's own types and for those that a cell has defined. */
  readonly module: string | null;
  readonly length: number | null;
  /** Of an array or a table: `[rows, columns]`. */
  readonly shape: readonly number[] | null;
  /** In bytes, without the items of a container; null where only the value itself could tell. */
  readonly size: number | null;
  /** The value in a few words, as Python would write it where that is short enough; a cut is marked by `…`. */
  readonly value: string;
}

export interface VariableLimits {
  /** 100 by default. */
  readonly maxVariables?: number | undefined;
  /** Of each variable; 200 by default. */
  readonly maxValueCharacters?: number | undefined;
  /** How long to wait for an answer while C code blocks Python; 2 seconds by default. */
  readonly timeoutMs?: number | undefined;
}
