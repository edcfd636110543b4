import type { OnHostCall } from "../../kernel/host-call.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { deferred } from "../../support/deferred.ts";
import type { PythonTool } from "../host-news.ts";

/** Starts a kernel, ready to run cells; when it fails, or the signal aborts, it leaves no process. */
export type StartKernel = (signal: AbortSignal, listener?: KernelListener) => Promise<Kernel>;

/** What a session listens to on a kernel of its own, besides the events of cells. */
export interface KernelListener {
  readonly onHostCall: OnHostCall;
  /** Is told which functions were marked with `@tool` while the kernel was made ready. */
  onPythonTools(tools: readonly PythonTool[]): void;
}

/** How long a start that was called off is waited for, so that what it had begun is gone when we go on. */
const usualPatienceMs = 5000;

/** A start that ends when its signal does, even if it hangs where no signal is heard, as on a disk that does not answer. */
export async function startInTime(
  start: StartKernel,
  signal: AbortSignal,
  patienceMs = usualPatienceMs,
): Promise<Kernel> {
  signal.throwIfAborted();
  const hangs = deferred<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => hangs.reject(signal.reason), patienceMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const starting = start(signal);
  try {
    return await Promise.race([starting, hangs.promise]);
  } catch (error) {
    // One that comes after all is nobody's.
    starting.then((late) => late.close()).catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
