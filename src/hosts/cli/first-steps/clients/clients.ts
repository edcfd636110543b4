import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../../../../support/environment.ts";
import type { JsonValue } from "../../../../support/json/value.ts";

/** An MCP client that Granary can configure. */
export interface McpClient {
  /** The word on the command line: `granary init codex`. */
  readonly id: string;
  readonly title: string;
  /** The file that has its servers. */
  readonly file: string;
  readonly format: { readonly type: "json"; readonly key: string } | { readonly type: "toml" };
  /** Whether it is on this machine. */
  readonly isFound: boolean;
  /** The entry for Granary. */
  entry(server: ServerCommand): Readonly<Record<string, JsonValue>>;
}

/** How a client starts Granary. */
export interface ServerCommand {
  /** `granary` where that is on PATH. */
  readonly usual: readonly string[];
  /** Absolute paths, for clients whose PATH is not the shell's. */
  readonly absolute: readonly string[];
  readonly home: string;
}

/** Longer than the longest call, ten minutes, which is not the client's to end. */
const seconds = 660;

/** All known clients, with the places that their documentation names (November 2026). */
export function mcpClients(env: Environment, platform: NodeJS.Platform = process.platform): readonly McpClient[] {
  const home = env.HOME ?? "";
  const isMac = platform === "darwin";
  const config = isMac ? join(home, "Library/Application Support") : env.XDG_CONFIG_HOME || join(home, ".config");
  const inJson = (
    client: Pick<McpClient, "id" | "title" | "file"> & { readonly key?: string; readonly signs?: readonly string[] },
    entry: McpClient["entry"],
  ): McpClient => {
    const { id, title, file, key = "mcpServers", signs = [dirname(file)] } = client;
    return {
      id,
      title,
      file,
      format: { type: "json", key },
      isFound: [file, ...signs].some((path) => existsSync(path)),
      entry,
    };
  };
  const copilotHome = env.COPILOT_HOME || join(home, ".copilot");
  // These two do as on Linux on every system.
  const xdg = env.XDG_CONFIG_HOME || join(home, ".config");
  const opencode = join(xdg, "opencode/opencode.json");
  const codexHome = env.CODEX_HOME || join(home, ".codex");
  return [
    inJson(
      {
        ...{ id: "claude-code", title: "Claude Code", file: join(env.CLAUDE_CONFIG_DIR || home, ".claude.json") },
        signs: [env.CLAUDE_CONFIG_DIR || join(home, ".claude")],
      },
      ({ usual }) => ({ type: "stdio", ...command(usual) }),
    ),
    inJson(
      { id: "claude-desktop", title: "Claude Desktop", file: join(config, "Claude/claude_desktop_config.json") },
      // It has the PATH of the desktop, and starts servers in no folder of the user's.
      ({ absolute, home }) => command([...absolute, "--cwd", home]),
    ),
    inJson({ id: "cursor", title: "Cursor", file: join(home, ".cursor/mcp.json") }, ({ usual }) => command(usual)),
    inJson(
      { id: "vscode", title: "VS Code", file: join(config, "Code/User/mcp.json"), key: "servers" },
      ({ usual }) => ({ type: "stdio", ...command(usual) }),
    ),
    {
      id: "codex",
      title: "Codex",
      file: join(codexHome, "config.toml"),
      format: { type: "toml" },
      isFound: existsSync(codexHome),
      entry: ({ usual }) => ({ ...command(usual), tool_timeout_sec: seconds }),
    },
    inJson({ id: "gemini", title: "Gemini CLI", file: join(home, ".gemini/settings.json") }, ({ usual }) => ({
      ...command(usual),
      timeout: seconds * 1000,
    })),
    inJson(
      {
        ...{ id: "opencode", title: "OpenCode", key: "mcp", signs: [join(xdg, "opencode")] },
        file: existsSync(`${opencode}c`) ? `${opencode}c` : opencode,
      },
      ({ usual }) => ({ type: "local", command: [...usual], enabled: true, timeout: seconds * 1000 }),
    ),
    inJson({ id: "copilot", title: "Copilot CLI", file: join(copilotHome, "mcp-config.json") }, ({ usual }) => ({
      ...{ type: "local", ...command(usual) },
      tools: ["*"],
    })),
    inJson({ id: "amp", title: "Amp", file: join(xdg, "amp/settings.json"), key: "amp.mcpServers" }, ({ usual }) =>
      command(usual),
    ),
    inJson({ id: "windsurf", title: "Windsurf", file: join(home, ".codeium/windsurf/mcp_config.json") }, ({ usual }) =>
      command(usual),
    ),
  ];
}

function command([program = "", ...args]: readonly string[]): { command: string; args: string[] } {
  return { command: program, args };
}
