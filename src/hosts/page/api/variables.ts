/** A variable in the list. */
export interface PageVariable {
  readonly name: string;
  readonly kind: "data" | "function" | "class" | "module";
  readonly type: string;
  readonly length: number | null;
  readonly shape: readonly number[] | null;
  readonly size: number | null;
  readonly value: string;
}

export interface VariableList {
  readonly variables: readonly PageVariable[];
  readonly total: number;
}

/** Some rows of a table, as text. */
export interface TableRows {
  readonly columns: readonly string[];
  /** The type of each column; "" where it is unknown. */
  readonly types: readonly string[];
  /** The label of each row. */
  readonly index: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Of all rows. */
  readonly total: number;
  readonly totalColumns: number;
}

/** A state of the variables that can be restored. */
export interface PageState {
  readonly id: string;
  /** The number of the last cell that it contains. */
  readonly cell: number;
  readonly takenAt: number;
  readonly heldBytes: number | null;
  readonly isCurrent: boolean;
  readonly execution: string | null;
  readonly isUndone: boolean;
}
