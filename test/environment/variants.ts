import { oldestPython, pythons } from "./pythons.ts";

/**
 * Whether this is `npm run test:long`. It runs every file that imports this one, with more variants of the same promises:
 * all Pythons of the machine, all parts of the contract on every backend. `npm test` shows each promise once.
 */
export const isLong = process.env.GRANARY_TEST_LONG === "1";

/** For slow promises that hold on every Python: the oldest, which lacks most; in `npm run test:long` all of them. */
export const testedPythons = (): ReturnType<typeof pythons> => (isLong ? pythons() : [oldestPython()]);

/** How often a property is tried: a fifth of it in `npm test`, with other values each time. */
export const repetitions = (times: number): number => (isLong ? times : Math.ceil(times / 5));

/**
 * Backends with ipykernel, for promises that do not depend on the transport: `gateway/shared/contract.test.ts` shows that
 * the gateway carries what ZeroMQ does.
 */
export const ipykernelBackends: readonly ("zmq" | "gateway")[] = isLong ? ["zmq", "gateway"] : ["zmq"];

/** The first so many of several cases, for a backend whose kernels take a second to start; all in `npm run test:long`. */
export const firstFew = <T>(cases: readonly T[], count: number): readonly T[] =>
  isLong ? cases : cases.slice(0, count);
