import { isLong } from "../../../environment/variants.ts";
import type { Part } from "../../kernel-contract.ts";

/** The quick half of the contract. The newest Python shows all of it in `npm test`. */
export const quickHalf: readonly Part[] | undefined = isLong
  ? undefined
  : [
      "life cycle",
      "output",
      "results",
      "errors",
      "warnings",
      "await",
      "display",
      "input",
      "main module",
      "hostile sources",
      "completion",
      "terms",
    ];

/** The part that depends on how Bun starts processes, reads pipes and sends signals. */
export const partOfBun: readonly Part[] | undefined = isLong
  ? undefined
  : ["life cycle", "output", "input", "interrupts", "death"];
