import { oldestPython } from "../../../environment/pythons.ts";
import { isLong } from "../../../environment/variants.ts";
import type { Part } from "../../kernel-contract.ts";

/** The quick half of the contract, which a fork of the oldest Python shows in `npm test`. A fork of the newest one shows the rest. */
const quickParts: readonly Part[] = [
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

/** Of a kernel with a process of its own on the oldest Python: how it starts, and what it does with its streams. */
export const partsOnTheOldest: readonly Part[] | undefined = isLong
  ? undefined
  : ["life cycle", "output", "input", "main module"];

/** Of the quick half, a fork of the newest Python shows how kernels begin and end, and stories for which the oldest is too old. */
export const shownOnTheOldest = {
  python: { version: oldestPython().version, packages: [] },
  parts: quickParts.filter((part) => part !== "life cycle"),
};

/** Of a kernel with a process of its own on the newest Python: the oldest shows the quick half, and cells run the same code as a fork's. */
export const partsOfSpawned: readonly Part[] | undefined = isLong
  ? undefined
  : ["interrupts", "death", "children", "forks"];

/** On the oldest Python: the quick half, and what depends most on how a kernel began. */
export const forkedOnTheOldest: readonly Part[] | undefined = isLong ? undefined : [...quickParts, "death", "forks"];

/** The part that depends on how Bun starts processes, reads pipes and sends signals. */
export const partOfBun: readonly Part[] | undefined = isLong
  ? undefined
  : ["life cycle", "output", "input", "interrupts", "death"];

/** Costs seconds each time, and `contract.oldest.test.ts` shows it. */
export const slowOnce: Readonly<Record<string, string>> = {
  "a million short lines arrive complete and in order": "the oldest Python shows it with a process of its own",
};
