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
  return isOfAnother ? "The kernel was started anew by somebody else." : null;
}
