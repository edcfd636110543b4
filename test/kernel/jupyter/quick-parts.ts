import type { Part } from "../kernel-contract.ts";

/** What tells most about a backend. All of it is in `npm run test:long`, since ipykernel needs most of a second to start. */
export const quickParts: readonly Part[] = ["life cycle", "results", "input", "death"];

/** On Bun: what depends most on its sockets, and little else. */
export const bunParts: readonly Part[] = ["life cycle", "display", "input"];
