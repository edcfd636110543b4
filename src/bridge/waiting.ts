import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Which session waits for which. A cell waits for the tool that it called; if that tool runs a cell in the same
 * session, or in one that waits for this one, both would wait for ever.
 */
const working = new AsyncLocalStorage<object>();
/** A count, since one session may wait for several cells of another. */
const waitsFor = new Map<object, Map<object, number>>();

/** Runs a tool on behalf of the session that called it. */
export function onBehalfOf<T>(caller: object, work: () => T): T {
  return working.run(caller, work);
}

/** The session whose tool runs here, if any. */
export function whoWaits(): object | undefined {
  return working.getStore();
}

/** Whether `caller` waiting for `target` would close a cycle. */
export function wouldWaitForItself(caller: object, target: object, seen: ReadonlySet<object> = new Set()): boolean {
  if (caller === target) return true;
  if (seen.has(target)) return false;
  const nexts = waitsFor.get(target)?.keys() ?? [];
  return [...nexts].some((next) => wouldWaitForItself(caller, next, new Set([...seen, target])));
}

/** Registers a wait until `over` settles. */
export function noteWaiting(caller: object, target: object, over: Promise<unknown>): void {
  const targets = waitsFor.get(caller) ?? new Map<object, number>();
  waitsFor.set(caller, targets.set(target, (targets.get(target) ?? 0) + 1));
  void over.then(() => {
    const left = (targets.get(target) ?? 0) - 1;
    if (left > 0) targets.set(target, left);
    else targets.delete(target);
    if (targets.size === 0 && waitsFor.get(caller) === targets) waitsFor.delete(caller);
  });
}
