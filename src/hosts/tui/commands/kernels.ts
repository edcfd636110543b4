import type { SharedSession } from "../../../session/shared-session.ts";
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

function describe({ id, life, generation, info, isBusy }: SharedSession): string {
  const state = isBusy ? "busy" : life;
  if (info === null) return `${id}: ${state}, no kernel`;
  const process = info.pid === null ? "" : `, process ${info.pid}`;
  const count = generation > 1 ? `, the ${ordinal(generation)} kernel of this session` : "";
  return `${id}: ${state}; ${info.language} ${info.version} (${info.executable}) on the backend ${info.backend}${process}${count}`;
}

function ordinal(number: number): string {
  const ending = { one: "st", two: "nd", few: "rd", other: "th" }[
    rules.select(number) as "one" | "two" | "few" | "other"
  ];
  return `${number}${ending}`;
}

const rules = new Intl.PluralRules("en", { type: "ordinal" });
