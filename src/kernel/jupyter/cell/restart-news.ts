import type { JupyterMessage } from "../messages/message.ts";
import { stringOf } from "../messages/to-event.ts";

/**
 * Whether a message says that the kernel we knew is no more: a server restarts kernels that die, and tells; a person
 * restarts a kernel that we share, and does not, but then it speaks in another session.
 */
export function restartNews({ header, content }: JupyterMessage, kernelSession: string): string | null {
  if (header.session === kernelSession) return null;
  const state = header.msg_type === "status" ? stringOf(content.execution_state) : "";
  if (["restarting", "autorestarting", "dead"].includes(state)) {
    return "The kernel died; the server that runs it says so.";
  }
  const isOfAnother = header.msg_type === "execute_reply" || state === "starting";
  return isOfAnother ? restarted : null;
}

const restarted = "Another client has restarted the kernel.";

/**
 * Whether a message says that the kernel is about to end because it was asked to; the caller knows whether by us. A server
 * that ends a kernel interrupts its cell first, and tells nobody: all that would be seen is a `KeyboardInterrupt`.
 */
export function shutdownNews({ channel, header, content }: JupyterMessage): string | null {
  if (channel !== "iopub" || header.msg_type !== "shutdown_reply") return null;
  return content.restart === true
    ? restarted
    : "Another client has shut the kernel down, such as by deleting it on the server.";
}
