import type { Settings } from "../../../settings/settings.ts";
import type { Environment } from "../../../support/environment.ts";
import { parseArguments } from "../command/parse-arguments.ts";
import { UsageError } from "../command/usage-error.ts";
import { parseBackend, parseSandbox, type RunArguments } from "../run/run-arguments.ts";

export interface McpArguments {
  /** As typed; null for standard input and output. */
  readonly http: string | null;
  /** The chosen tokens; empty when one has to be made. */
  readonly tokens: readonly string[];
  /** False when every client is accepted. */
  readonly needsToken: boolean;
  readonly allowedHosts: readonly string[];
  readonly idleMinutes: number;
  readonly cwd: string | undefined;
  readonly roots: readonly string[];
  readonly readOnly: boolean;
  readonly interpreter: string | undefined;
  readonly backend: Settings["python"]["backend"] | undefined;
  /** True when the folder's own files may run code; undefined to ask what the user has told `granary trust`. */
  readonly trust: true | undefined;
  readonly sandbox: RunArguments["sandbox"];
}

export const mcpOptions = {
  http: { type: "string" },
  token: { type: "string", multiple: true },
  "no-auth": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  "idle-minutes": { type: "string" },
  cwd: { type: "string" },
  root: { type: "string", multiple: true },
  "read-only": { type: "boolean" },
  python: { type: "string" },
  backend: { type: "string" },
  trust: { type: "boolean" },
  sandbox: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parseArguments<typeof mcpOptions>>["values"];

export function parseMcpArguments(args: readonly string[], env: Environment): McpArguments | "help" {
  const { values, positionals } = parseArguments(args, mcpOptions);
  if (values.help) return "help";
  if (positionals.length > 0) throw new UsageError(`granary mcp takes options only, but got ${positionals.join(" ")}.`);
  checkHttpOnly(values);
  return {
    http: values.http ?? null,
    tokens: tokensFrom(values, env),
    needsToken: !values["no-auth"],
    allowedHosts: values["allow-host"] ?? [],
    idleMinutes: parseMinutes(values["idle-minutes"]),
    cwd: values.cwd,
    roots: values.root ?? [],
    readOnly: values["read-only"] ?? false,
    interpreter: values.python,
    backend: parseBackend(values.backend),
    trust: values.trust || undefined,
    sandbox: parseSandbox(values.sandbox),
  };
}

function checkHttpOnly(values: Values): void {
  const [option] = (["token", "no-auth", "allow-host", "idle-minutes"] as const).filter(
    (name) => values[name] !== undefined,
  );
  if (values.http === undefined && option !== undefined) throw new UsageError(`--${option} goes with --http only.`);
}

/** Shorter ones can be guessed. */
const shortestToken = 16;

function tokensFrom(values: Values, { GRANARY_MCP_TOKEN: fromEnvironment }: Environment): readonly string[] {
  if (values["no-auth"]) {
    if (values.token !== undefined) throw new UsageError("Give either --token or --no-auth.");
    return [];
  }
  const tokens = values.token ?? (fromEnvironment ? [fromEnvironment] : []);
  const bad = tokens.some((token) => token.length < shortestToken || /\s/.test(token));
  if (bad) throw new UsageError(`A token has at least ${shortestToken} characters, and no spaces.`);
  return tokens;
}

function parseMinutes(typed: string | undefined): number {
  const minutes = typed === undefined ? 24 * 60 : Number(typed);
  if (minutes > 0) return minutes;
  throw new UsageError(`--idle-minutes takes a number above 0; got ${JSON.stringify(typed)}.`);
}
