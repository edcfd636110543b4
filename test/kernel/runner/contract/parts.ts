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

/** Of a forked kernel: how it starts, ends, is interrupted and reached. Its cells run the same Python code as any other's. */
export const partsOfForks: readonly Part[] | undefined = isLong
  ? undefined
  : [
      "life cycle",
      "output",
      "await",
      "interrupts",
      "stubborn cells",
      "loop libraries",
      "input",
      "death",
      "children",
      "forks",
      "main module",
      "hostile cells",
    ];

/** On an old Python, and on Bun: what depends most on them. */
export const fewPartsOfForks: readonly Part[] | undefined = isLong ? undefined : ["life cycle", "death", "forks"];

/** The part that depends on how Bun starts processes, reads pipes and sends signals. */
export const partOfBun: readonly Part[] | undefined = isLong
  ? undefined
  : ["life cycle", "output", "input", "interrupts", "death"];
