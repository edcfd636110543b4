import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Who waits for whom. A cell waits for the tool it has called; where that tool runs a cell of its own, in the same
 * session or in one that waits for this one, both would wait for ever.
 */
const working = new AsyncLocalStorage<object>();
/** How often, since one may wait for several cells of the same other. */
const waitsFor = new Map<object, Map<object, number>>();

/** Does the work of a tool on behalf of the session that has called it. */
export function onBehalfOf<T>(caller: object, work: () => T): T {
  return working.run(caller, work);
}

/** Whose tool is at work here, if it is one's. */
export function whoWaits(): object | undefined {
  return working.getStore();
}

/** Whether something that `caller` waits for would wait for `caller` if it waited for `target`. */
export function wouldWaitForItself(caller: object, target: object, seen: ReadonlySet<object> = new Set()): boolean {
  if (caller === target) return true;
  if (seen.has(target)) return false;
  const nexts = waitsFor.get(target)?.keys() ?? [];
  return [...nexts].some((next) => wouldWaitForItself(caller, next, new Set([...seen, target])));
}

/** From now on until `over`. */
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
