import { GranaryError } from "../../../support/granary-error.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import type { ConsoleCommand } from "./command.ts";

export const interrupt: ConsoleCommand = {
  name: "interrupt",
  summary: "interrupts the running cell, also that of another client",
  async run(_argument, console) {
    const { session } = console.workbench;
    const running = session.shared.busyWith;
    if (running === null) throw new GranaryError("usage", "Nothing is running.");
    await session.interrupt();
    console.add(new NoteBlock(`Interrupted ${running.id}.`, { style: "muted" }));
  },
};
