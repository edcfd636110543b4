import { stripVTControlCharacters } from "node:util";
import type { KernelEvent, MimeBundle, Outcome, StreamName } from "../../src/kernel/events.ts";
import type { ExecuteOptions, Kernel } from "../../src/kernel/kernel.ts";
import { withLargeContents } from "../../src/kernel/large-content.ts";

export type DisplayEvent = Extract<KernelEvent, { type: "display" }>;

/** All events of one cell. */
export interface Run {
  readonly events: readonly KernelEvent[];
  readonly outcome: Outcome;
  readonly executionCount: number | null;
  /** stdout and stderr as they came. */
  readonly text: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly result: MimeBundle | undefined;
  readonly displays: readonly DisplayEvent[];
  /** The traceback as one text, without colours. */
  readonly error: { readonly name: string; readonly message: string; readonly traceback: string } | undefined;
}

export interface RunOptions extends ExecuteOptions {
  readonly onEvent?: (event: KernelEvent) => void;
}

/** Runs a cell to its end. */
export async function run(kernel: Kernel, code: string, { onEvent, ...options }: RunOptions = {}): Promise<Run> {
  const events: KernelEvent[] = [];
  for await (const event of kernel.execute(code, options)) {
    // Large values can be read only now.
    const isShown = event.type === "display" || event.type === "result";
    events.push(isShown ? await withLargeContents(event, () => Number.MAX_SAFE_INTEGER) : event);
    onEvent?.(event);
  }
  return summary(events);
}

/** Runs a cell that must succeed, and returns what it printed on stdout. */
export async function printed(kernel: Kernel, code: string, options?: RunOptions): Promise<string> {
  const { outcome, stdout, error } = await run(kernel, code, options);
  if (outcome !== "ok") throw new Error(`The cell ended with ${outcome}.\n${error?.traceback}`);
  return stdout;
}

/** Runs a cell, and calls `act` once, as soon as the cell has printed "ready". */
export function runAndWhenReady(kernel: Kernel, code: string, act: () => void, options?: RunOptions): Promise<Run> {
  let stdout = "";
  let acted = false;
  return run(kernel, code, {
    ...options,
    onEvent(event) {
      if (event.type === "stream" && event.name === "stdout") stdout += event.text;
      if (acted || !stdout.includes("ready")) return;
      acted = true;
      act();
    },
  });
}

/** Runs a cell, interrupts it when it has printed "ready", and waits for both. */
export async function interruptWhenReady(kernel: Kernel, code: string): Promise<Run> {
  let interrupted: Promise<void> | undefined;
  const cell = await runAndWhenReady(kernel, code, () => {
    interrupted = kernel.interrupt();
  });
  if (interrupted === undefined) throw new Error(`The cell never said that it is ready.\n${cell.error?.traceback}`);
  await interrupted;
  return cell;
}

/** Runs a cell that must crash its kernel, and returns the exception of `execute` and the earlier events. */
export async function runToDeath(
  kernel: Kernel,
  code: string,
  options: RunOptions = {},
): Promise<{ readonly thrown: unknown; readonly events: readonly KernelEvent[]; readonly text: string }> {
  const events: KernelEvent[] = [];
  const onEvent = (event: KernelEvent): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  const thrown = await run(kernel, code, { ...options, onEvent }).then(
    ({ outcome }) => new Error(`The kernel did not die; the cell ended with ${outcome}.`),
    (error: unknown) => error,
  );
  return { thrown, events, text: textOf(events) };
}

/** Listens to what is printed between cells. */
export function background(kernel: Kernel): { readonly text: string; of(name: StreamName): string } {
  const pieces: { text: string; name: StreamName }[] = [];
  kernel.onBackground((text, name) => pieces.push({ text, name }));
  const join = (wanted?: StreamName): string =>
    pieces.map(({ text, name }) => (wanted === undefined || wanted === name ? text : "")).join("");
  return {
    get text() {
      return join();
    },
    of: join,
  };
}

function summary(events: readonly KernelEvent[]): Run {
  const last = events.at(-1);
  if (last?.type !== "done") throw new Error(`The last event is not "done" but ${JSON.stringify(last)}.`);
  const error = events.find((event) => event.type === "error");
  return {
    events,
    outcome: last.outcome,
    executionCount: last.executionCount,
    text: textOf(events),
    stdout: textOf(events, "stdout"),
    stderr: textOf(events, "stderr"),
    result: events.find((event) => event.type === "result")?.data,
    displays: events.filter((event) => event.type === "display"),
    error: error && {
      name: error.name,
      message: error.message,
      traceback: stripVTControlCharacters(error.traceback.join("\n")),
    },
  };
}

function textOf(events: readonly KernelEvent[], name?: StreamName): string {
  const streams = events.filter((event) => event.type === "stream");
  return streams.map((event) => (name === undefined || event.name === name ? event.text : "")).join("");
}
