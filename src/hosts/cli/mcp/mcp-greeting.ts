import { randomBytes } from "node:crypto";

export interface ChosenTokens {
  readonly all: readonly string[];
  /** Whether it was made here, and nobody knows it yet. */
  readonly isNew: boolean;
}

export function chooseTokens(given: readonly string[]): ChosenTokens {
  if (given.length > 0) return { all: given, isNew: false };
  return { all: [randomBytes(32).toString("base64url")], isNew: true };
}

/** What people are told when the server is there. A token that they have chosen themselves is not shown. */
export function mcpGreeting(url: string, tokens: ChosenTokens | null): string {
  const lines = [`granary: serving MCP at ${url}`];
  if (tokens === null) lines.push("granary: any program on this machine may use it (--no-auth)");
  const token = tokens?.isNew ? tokens.all[0] : undefined;
  if (token !== undefined) {
    lines.push(
      "granary: clients have to send a token, which is made anew at every start (GRANARY_MCP_TOKEN chooses one):",
      `claude mcp add --transport http granary ${url} --header "Authorization: Bearer ${token}"`,
    );
  }
  return `${lines.join("\n")}\n`;
}
