import { GranaryError } from "../../support/granary-error.ts";
import type { Cell } from "../execution/execution.ts";

/** What a caller wants run; one without the help of types may hand over anything. */
export function asCell(given: Cell | string): Cell {
  if (typeof given === "string") return { code: given };
  if (typeof given?.code === "string") return given;
  const wrong = typeof given === "object" && given !== null ? `one whose code is ${typeof given.code}` : String(given);
  throw new GranaryError(
    "not-a-cell",
    `A cell is a string of code, or an object with such a string as its code; this is ${wrong}.`,
  );
}
