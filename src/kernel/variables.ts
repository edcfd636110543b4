/** What the user's variables hold, told without running any of the user's code. */
export interface VariableListing {
  /** Data first, then functions, classes and modules; within each in the order of definition. */
  readonly variables: readonly Variable[];
  /** How many there are, also when `maxVariables` has left some out. */
  readonly total: number;
}

export interface Variable {
  readonly name: string;
  readonly kind: "data" | "function" | "class" | "module";
  /** The name of its type, such as `dict` or `DataFrame`. */
  readonly type: string;
  /** Where that type comes from; null for Python's own types and for those that a cell has defined. */
  readonly module: string | null;
  readonly length: number | null;
  /** Of an array or a table: `[rows, columns]`. */
  readonly shape: readonly number[] | null;
  /** In bytes, without what the items of a container take; null where it cannot be known without asking the value. */
  readonly size: number | null;
  /** The value in a few words, as Python would write it where that is short enough; a cut is marked by `…`. */
  readonly value: string;
}

export interface VariableLimits {
  /** 100 unless said otherwise. */
  readonly maxVariables?: number | undefined;
  /** Of each variable; 200 unless said otherwise. */
  readonly maxValueCharacters?: number | undefined;
  /** How long to wait for an answer while C code keeps Python from giving one; 2 seconds unless said otherwise. */
  readonly timeoutMs?: number | undefined;
}
