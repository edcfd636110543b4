import type { Trace } from "../../trace.ts";
import type { RunnerProcess } from "../spawn-runner.ts";
import type { ControlRequest, Frame } from "./frames.ts";
import { LineSplitter } from "./line-splitter.ts";

/** Traces every frame of a runner, in both directions. Typed passwords are left out. */
export function tap(runner: RunnerProcess, trace: Trace): void {
  const passwords = new Set<number>();
  for (const channel of ["frames", "control"] as const) {
    const socket = runner[channel];
    const lines = new LineSplitter((line) => {
      notePassword(line, passwords);
      trace("receive", channel, line);
    });
    socket.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk);
      } catch {
        // The wire reports it.
      }
    });
    const write = socket.write.bind(socket) as (text: string) => boolean;
    socket.write = (text: string) => {
      trace("send", channel, withoutPassword(text.trimEnd(), passwords));
      return write(text);
    };
  }
}

function notePassword(line: string, passwords: Set<number>): void {
  if (!line.includes('"ask"')) return;
  try {
    const frame = JSON.parse(line) as Frame;
    if (frame.t === "ask" && frame.password) passwords.add(frame.ask);
  } catch {
    // Not a frame: the decoder reports it.
  }
}

function withoutPassword(line: string, passwords: ReadonlySet<number>): string {
  if (passwords.size === 0 || !line.includes('"answer"')) return line;
  const request = JSON.parse(line) as ControlRequest;
  const isPassword = request.op === "answer" && passwords.has(request.ask);
  return isPassword ? JSON.stringify({ ...request, text: "<masked>" }) : line;
}
