import type { RunArguments } from "../run-arguments.ts";

/**
 * The arguments of the usual calls: `--session NAME` with code or a file, and few options. Null for all others, and for wrong ones:
 * `parseRunArguments` understands more, and explains mistakes.
 */
export function quickArguments(argv: readonly string[]): RunArguments | null {
  let session = "";
  let timeoutMs = Number.POSITIVE_INFINITY;
  let reset = false;
  const cells: string[] = [];
  let file: Extract<RunArguments["source"], { readonly type: "file" }> | null = null;
  for (let at = 0; at < argv.length && file === null; at += 1) {
    const arg = argv[at] ?? "";
    const value = argv[at + 1];
    if (arg === "--reset") reset = true;
    else if (arg === "--session" || arg === "--timeout" || arg === "-c") {
      if (value === undefined) return null;
      at += 1;
      if (arg === "--session") session = value;
      else if (arg === "-c") cells.push(value);
      else if (/^[1-9]\d{0,6}$/.test(value)) timeoutMs = Number(value) * 1000;
      else return null;
    } else if (/^[\w./]/.test(arg)) file = { type: "file", path: arg, args: argv.slice(at + 1) };
    else return null;
  }
  const isOneSource = cells.length > 0 !== (file !== null);
  if (!isOneSource || !/^\w[\w.-]{0,99}$/.test(session)) return null;
  return {
    ...{ source: file ?? { type: "code", cells }, session, timeoutMs, reset },
    ...{ json: false, background: false, extraEnv: {}, cwd: undefined, interpreter: undefined, backend: undefined },
    ...{ kernel: undefined, attach: undefined, trust: undefined, sandbox: undefined },
  };
}
