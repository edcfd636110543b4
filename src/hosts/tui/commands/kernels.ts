import type { SharedSession } from "../../../session/shared-session.ts";
import { sayCheckpoints } from "../../../tools/context/say-checkpoints.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import type { ConsoleCommand } from "./command.ts";

export const kernels: ConsoleCommand = {
  name: "kernels",
  summary: "lists this console's kernels and their state",
  run(_argument, console) {
    const lines = console.workbench.sessions.map(describe);
    console.add(new NoteBlock(lines.join("\n")));
  },
};

function describe(session: SharedSession): string {
  const { id, life, generation, info, isBusy } = session;
  const state = isBusy ? "busy" : life;
  if (info === null) return `${id}: ${state}, no kernel`;
  const process = info.pid === null ? "" : `, process ${info.pid}`;
  const count = generation > 1 ? `, the ${ordinal(generation)} kernel of this session` : "";
  const states = sayCheckpoints(session.checkpoints?.() ?? []);
  const kernel = `${info.language} ${info.version} (${info.executable}) on the backend ${info.backend}${process}${count}`;
  return `${id}: ${state}; ${kernel}${states === null ? "" : `\n  ${states}`}`;
}

function ordinal(number: number): string {
  const ending = { one: "st", two: "nd", few: "rd", other: "th" }[
    rules.select(number) as "one" | "two" | "few" | "other"
  ];
  return `${number}${ending}`;
}

const rules = new Intl.PluralRules("en", { type: "ordinal" });
