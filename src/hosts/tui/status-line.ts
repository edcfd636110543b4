import type { SharedSession } from "../../session/shared-session.ts";
import { sayElapsed } from "../../view/lines/elapsed.ts";
import { atBothEnds } from "../../view/text/fit.ts";
import type { Theme } from "../../view/theme/theme.ts";

export interface ConsoleState {
  /** Null before Granary is loaded. */
  readonly session: Pick<SharedSession, "info" | "life" | "generation"> | null;
  /** The sandbox of its code, as in `workspace (bubblewrap)`; null for none. */
  readonly sandbox: string | null;
  /** Start time of the foreground execution; null when none runs. */
  readonly runsSince: number | null;
  readonly inBackground: number;
  /** The running cell of another client; null when there is none. */
  readonly ofOther: { readonly by: string; readonly since: number } | null;
  /** A message for the person. */
  readonly hint: string | null;
  readonly now: number;
}

/** The line below the editor: Python's state and the possible keys. */
export function statusLine(state: ConsoleState, width: number, theme: Theme): string {
  const sandbox = state.sandbox === null ? "" : theme.muted(` · sandbox: ${state.sandbox}`);
  const background = state.inBackground === 0 ? "" : theme.accent(` · ${state.inBackground} in the background`);
  const also = sandbox + background;
  if (state.hint !== null) return atBothEnds(theme.warning(state.hint), "", width);
  if (state.runsSince !== null) {
    const elapsed = `▶ running ${sayElapsed(state.now - state.runsSince)}`;
    return atBothEnds(theme.running(elapsed) + also, theme.muted("ctrl+c interrupts"), width);
  }
  if (state.ofOther !== null) {
    const { by, since } = state.ofOther;
    const elapsed = `▶ ${by} is running ${sayElapsed(state.now - since)}`;
    return atBothEnds(theme.running(elapsed) + also, theme.muted("/interrupt"), width);
  }
  return atBothEnds(theme.muted(kernel(state.session)) + also, theme.muted("/help"), width);
}

function kernel(session: ConsoleState["session"]): string {
  if (session === null || session.life === "new" || session.life === "provisioning") return "starting Python…";
  const { info, life, generation } = session;
  if (info === null)
    return life === "restarting" ? "starting Python again…" : "Python has ended; the next cell starts it again";
  const again = generation > 1 ? ` · kernel ${generation}` : "";
  return `${info.language === "python" ? "Python" : info.language} ${info.version}${again}`;
}
