import { sayBytes } from "../../../../output/text/say-size.ts";
import type { SharedSession } from "../../../../session/shared-session.ts";
import { sayElapsed } from "../../../../view/lines/elapsed.ts";
import { atBothEnds } from "../../../../view/text/fit.ts";
import type { StyleName, Theme } from "../../../../view/theme/theme.ts";

export interface KernelStatus {
  readonly session: Pick<SharedSession, "life" | "generation" | "info">;
  /** In bytes; null when unknown. */
  readonly memory: number | null;
  /** Start time of the running cell and the queue length; null when none runs. */
  readonly running: { readonly cell: number; readonly since: number | null; readonly waiting: number } | null;
  readonly now: number;
}

/** The kernel's state, name and memory. */
export function notebookStatusLine(status: KernelStatus, width: number, theme: Theme): string {
  const { session, memory, running, now } = status;
  const { word, style } = lives[session.life];
  const facts = [
    session.info === null ? null : `${languageName(session.info.language)} ${session.info.version}`,
    session.generation === 0 ? null : `kernel ${session.generation}`,
    session.info?.sandbox ? `sandbox: ${session.info.sandbox}` : null,
    memory === null ? null : sayBytes(memory),
  ].filter((fact) => fact !== null);
  const left = [theme[style](`● ${word}`), ...facts.map((fact) => theme.muted(fact))].join(theme.muted(" · "));
  if (running === null) return atBothEnds(left, "", width);
  const elapsed = running.since === null ? "" : ` ${sayElapsed(now - running.since)}`;
  const waiting = running.waiting === 0 ? "" : `, ${running.waiting} waiting`;
  return atBothEnds(left, theme.running(`cell ${running.cell}${elapsed}${waiting}`), width);
}

const lives: Readonly<Record<SharedSession["life"], { readonly word: string; readonly style: StyleName }>> = {
  new: { word: "not started", style: "muted" },
  provisioning: { word: "starting", style: "running" },
  ready: { word: "idle", style: "success" },
  executing: { word: "busy", style: "running" },
  interrupted: { word: "interrupting", style: "warning" },
  restarting: { word: "restarting", style: "running" },
  "shutting down": { word: "ending", style: "warning" },
  dead: { word: "ended", style: "error" },
};

function languageName(language: string): string {
  return language === "python" ? "Python" : language;
}
