import type { JupyterMessage } from "../messages/message.ts";
import { stringOf } from "../messages/to-event.ts";

/**
 * Whether a message shows that the kernel was replaced: a server restarts kernels that die, and reports it; another client
 * restarts a shared kernel without a report, but then the kernel's session changes.
 */
export function restartNews({ header, content }: JupyterMessage, kernelSession: string): string | null {
  if (header.session === kernelSession) return null;
  const state = header.msg_type === "status" ? stringOf(content.execution_state) : "";
  if (["restarting", "autorestarting", "dead"].includes(state)) {
    return "The kernel died: the server reports it as dead.";
  }
  const isOfAnother = header.msg_type === "execute_reply" || state === "starting";
  return isOfAnother ? restarted : null;
}

const restarted = "Another client has restarted the kernel.";

/**
 * Whether a message says that the kernel was asked to end; the caller knows whether by us. A server that ends a kernel
 * interrupts its cell first, without a report: the only sign would be a `KeyboardInterrupt`.
 */
export function shutdownNews({ channel, header, content }: JupyterMessage): string | null {
  if (channel !== "iopub" || header.msg_type !== "shutdown_reply") return null;
  return content.restart === true
    ? restarted
    : "Another client has shut the kernel down, for example by deleting it on the server.";
}
