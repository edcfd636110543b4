import { randomBytes } from "node:crypto";

export interface ChosenTokens {
  readonly all: readonly string[];
  /** Whether it was generated here, so that it has to be shown. */
  readonly isNew: boolean;
}

export function chooseTokens(given: readonly string[]): ChosenTokens {
  if (given.length > 0) return { all: given, isNew: false };
  return { all: [randomBytes(32).toString("base64url")], isNew: true };
}

/** The lines shown when the server has started. Tokens that the user chose are not shown. */
export function mcpGreeting(url: string, tokens: ChosenTokens | null): string {
  const lines = [`granary: serving MCP at ${url}`];
  if (tokens === null) lines.push("granary: any program on this machine may use it (--no-auth)");
  const token = tokens?.isNew ? tokens.all[0] : undefined;
  if (token !== undefined) {
    lines.push(
      "granary: clients have to send this token; every start makes a new one, unless GRANARY_MCP_TOKEN is set:",
      `claude mcp add --transport http granary ${url} --header "Authorization: Bearer ${token}"`,
    );
  }
  return `${lines.join("\n")}\n`;
}
