import type { Part } from "../kernel-contract.ts";

/** On Bun: what depends most on its sockets, and little else. All of the contract runs on Node. */
export const bunParts: readonly Part[] = ["life cycle", "display", "input"];
