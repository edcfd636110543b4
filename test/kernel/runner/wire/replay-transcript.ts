import { setImmediate as nextTurn } from "node:timers/promises";
import type { HostAnswer, KernelCall } from "../../../../src/kernel/host-call.ts";
import type { CommMessage } from "../../../../src/kernel/jupyter/messages/comms.ts";
import { RunnerKernel } from "../../../../src/kernel/runner/runner-kernel.ts";
import type { Request } from "../../../../src/kernel/runner/wire/frames.ts";
import type { JsonObject } from "../../../../src/support/json/value.ts";
import { SilentRunner } from "../silent-runner.ts";
import { chunked, mark, markBytes } from "./marks.ts";

/** A line of a transcript: protocol/transcripts/README.md. */
export type Step = Readonly<Record<string, unknown>>;

export const channels = ["frames", "control", "interrupts", "stdout", "stderr"] as const;
type Channel = (typeof channels)[number];

/** Whose turn it is, and how many bytes come; both are repeated as long as there is something to come. */
export interface Arrivals {
  readonly turns: readonly Channel[];
  readonly sizes: readonly number[];
}

/** A kernel's output for a transcript. */
export interface Replayed {
  /** Its events for the caller, as lines of a transcript. */
  readonly told: readonly Step[];
  /** Its requests to the runner, likewise, at the places that the transcript expects. */
  readonly said: readonly Step[];
}

/** Sends the runner's part of a transcript to a kernel. */
export async function replay(steps: readonly Step[], arrivals: Arrivals): Promise<Replayed> {
  const runner = new SilentRunner();
  const caller = new Caller(runner, steps);
  const said: Step[] = [];
  try {
    // The first two lines, hello and the answer to it, come before there is a kernel.
    const conversation = steps.filter((step) => !("about" in step)).slice(2);
    for (const [hostLine, answer] of turnsOfTheHost(conversation)) {
      said.push(await caller.act(hostLine));
      await deliver(answer, arrivals, (channel, bytes) => {
        if (channel === "stdout" || channel === "stderr") caller.kernel.wire.takeChunk(channel, bytes);
        else runner[channel].say(bytes);
      });
    }
    return { told: caller.told, said };
  } finally {
    runner.exit();
    await caller.kernel.exited;
  }
}

/** The kernel's caller: makes it send the host's lines, and records its events. */
class Caller {
  readonly kernel: RunnerKernel;
  readonly told: Step[] = [];
  readonly #runner: SilentRunner;
  readonly #answers: string[];
  readonly #replies: HostAnswer[];

  constructor(runner: SilentRunner, steps: readonly Step[]) {
    this.#runner = runner;
    this.#answers = steps.flatMap((step) => {
      const request = step["host control"] as { op: string; text: string } | undefined;
      return request?.op === "answer" ? [request.text] : [];
    });
    this.#replies = steps.flatMap((step) => {
      const request = step["host control"] as { op: string; reply: HostAnswer } | undefined;
      return request?.op === "host-reply" ? [request.reply] : [];
    });
    const python = { python: "3.12.1", executable: "python", pid: runner.pid };
    const hello = { t: "hello", protocol: 1, ...python, mark, pipes: [7, 9], journal: null, settles: true } as const;
    const onHostCall = (call: KernelCall): Promise<HostAnswer> => this.#reply(call);
    this.kernel = new RunnerKernel(runner.process, hello, { graceMs: 60_000, onHostCall });
    const pipe = { hold: () => undefined, ended: Promise.resolve(), close: () => undefined };
    this.kernel.wire.useStreams({ stdout: pipe, stderr: pipe });
    this.kernel.onBackground((text, name) => this.told.push({ background: { name, text } }));
  }

  async act(line: Step): Promise<Step> {
    if ("host" in line) {
      this.#request(line.host as Request);
      await nextTurn();
      return { host: JSON.parse(this.#runner.frames.takeLines().join()) };
    }
    if ("host control" in line) {
      const { op } = line["host control"] as { op: string };
      if (op === "ping") void this.kernel.ping();
      if (op === "comms") void this.kernel.comms.list();
      await nextTurn();
      const requests = this.#runner.control.takeLines().map((request) => JSON.parse(request));
      return { "host control": requests.find((request) => request.op === op) };
    }
    void this.kernel.interrupt();
    await nextTurn();
    return { "host interrupts": this.#runner.interrupts.takeLines()[0] };
  }

  #request(request: Request): void {
    if (request.op === "execute") void this.#execute(request);
    else if (request.op === "shutdown") void this.kernel.close();
    else if (request.op === "complete" || request.op === "inspect") {
      const answer = this.kernel[request.op](request.code, request.cursor);
      void answer.then((value) => this.told.push({ returns: value }));
    }
  }

  /** Answers with the next reply of the transcript; without one, the call waits until it is cancelled. */
  async #reply({ name, args, signal }: KernelCall): Promise<HostAnswer> {
    this.told.push({ calls: { name, args } });
    const reply = this.#replies.shift();
    if (reply !== undefined) return reply;
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        this.told.push({ "called off": name });
        resolve({ text: "" });
      });
    });
  }

  async #execute({ code, internal, parent, comm }: Extract<Request, { op: "execute" }>): Promise<void> {
    const answer = async (): Promise<string> => this.#answers.shift() as string;
    const terms = comm && { silent: true, unnumbered: true, withoutInput: true, parent, comm: commMessage(comm) };
    for await (const event of this.kernel.execute(code, { answer, internal, terms })) this.told.push({ event });
  }
}

function commMessage({ type, content, metadata, buffers }: JsonObject): CommMessage {
  const bytes = (buffers as readonly string[]).map((text) => Buffer.from(text, "base64"));
  return { type, content, metadata, buffers: bytes } as unknown as CommMessage;
}

/** Each line of the host with everything that follows until the next one. */
function* turnsOfTheHost(conversation: readonly Step[]): Generator<readonly [Step, readonly Step[]]> {
  const isHost = (step: Step): boolean => Object.keys(step).some((who) => who.startsWith("host"));
  const starts = conversation.flatMap((step, index) => (isHost(step) ? [index] : []));
  for (const [nth, start] of starts.entries()) {
    yield [conversation[start] as Step, conversation.slice(start + 1, starts[nth + 1])];
  }
}

/** Sends messages that the runner sent together: in order within each channel, in any order between channels. */
async function deliver(
  steps: readonly Step[],
  { turns, sizes }: Arrivals,
  say: (channel: Channel, bytes: Buffer) => void,
): Promise<void> {
  const pieces = new Map(channels.map((name) => [name, chunked(written(name, steps), forEver(sizes))]));
  for (const channel of forEver(turns)) {
    if (pieces.size === 0) break;
    const next = pieces.get(channel)?.next();
    if (next === undefined) continue;
    if (next.done) pieces.delete(channel);
    else {
      say(channel, next.value);
      await nextTurn();
    }
  }
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

/** The bytes of one channel. */
function written(channel: Channel, steps: readonly Step[]): Buffer {
  const speaker = { frames: "runner", control: "runner control", interrupts: "runner interrupts" };
  if (channel !== "stdout" && channel !== "stderr") {
    const lines = steps.map((step) => step[speaker[channel]]).filter((line) => line !== undefined);
    return Buffer.from(lines.map((line) => `${typeof line === "string" ? line : inAscii(line)}\n`).join(""));
  }
  const pieces = steps.map((step) => {
    if ("mark" in step) return markBytes({ number: step.mark as number, frames: step.frames as number });
    return Buffer.from((step[channel] as string | undefined) ?? "");
  });
  return Buffer.concat(pieces);
}

function* forEver<T>(values: Iterable<T>): Generator<T> {
  while (true) yield* values;
}

function inAscii(value: unknown): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, escaped);
}
