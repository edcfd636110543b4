import type { CellKind } from "./log.ts";

export interface ChaosCell {
  readonly id: string;
  readonly session: string;
  readonly kind: CellKind;
  /** How long it works, in milliseconds, or how many lines it prints. */
  readonly amount: number;
  readonly timeoutMs: number | null;
  /** Whether a child that it leaves behind may leave the process group. */
  readonly leaves: boolean;
  /** Reads slowly, or not at all. */
  readonly reader: "quick" | "slow" | "stuck";
}

/** The whole output of a cell that succeeds, but for its last line; null for more than a result shows. */
export function expectedOutput({ kind, amount, id }: ChaosCell): string | null {
  if (kind === "flood") return null;
  if (kind === "print")
    return lines(id, amount % 20)
      .map((line) => `${line}\n`)
      .join("");
  if (kind === "thread") return `from a thread ${id}\n`;
  return "";
}

/** The least size of its output, if it succeeds. */
export function expectedBytes(cell: ChaosCell): number {
  return cell.kind === "flood" ? cell.amount * 1024 : Buffer.byteLength(expectedOutput(cell) ?? "");
}

/**
 * The code of a cell: it reports its beginning and its end in a file, keeps its id in the variable `trail`, and prints that
 * variable, so that claims about its run and about variables can be compared with both.
 */
export function codeOf(cell: ChaosCell, witness: string): string {
  return `import os, sys, time
def mark(what):
    file = os.open(${JSON.stringify(witness)}, os.O_WRONLY | os.O_APPEND)
    os.write(file, (what + " ${cell.id} " + str(os.getpid()) + "\\n").encode())
    os.close(file)
mark("begin")
trail = globals().get("trail", []) + ["${cell.id}"]
${bodies[cell.kind](cell)}
print("trail", *trail)
mark("end")
`;
}

const bodies: Readonly<Record<CellKind, (cell: ChaosCell) => string>> = {
  count: () => "",
  print: ({ id, amount }) => `for n in range(${amount % 20}): print("line", n, "${id}")`,
  raise: ({ id }) => `raise ValueError("${id}")`,
  nap: ({ amount }) => `for n in range(${Math.ceil(amount / 10)}): time.sleep(0.01)`,
  spin: ({ amount }) => `until = time.process_time() + ${amount / 10_000}\nwhile time.process_time() < until: pass`,
  endless: () => "while True: time.sleep(0.01)",
  stubborn: ({ amount }) => `refusals = ${amount % 3}
while True:
    try:
        while True: time.sleep(0.01)
    except KeyboardInterrupt:
        if refusals == 0: raise
        refusals -= 1`,
  exit: ({ amount }) => ["os._exit(3)", "os.abort()", "os.kill(os.getpid(), 9)"][amount % 3] as string,
  child: ({ amount, leaves }) => `import subprocess
subprocess.Popen(["sleep", "300"], start_new_session=${amount % 2 === 0 && leaves ? "True" : "False"})`,
  thread: ({ id }) => `import threading
thread = threading.Thread(target=lambda: print("from a thread ${id}"))
thread.start(); thread.join()`,
  flood: ({ amount }) => `for n in range(${amount}): print(f"{n:08}" + "x" * 1015)`,
};

function lines(id: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `line ${index} ${id}`);
}
