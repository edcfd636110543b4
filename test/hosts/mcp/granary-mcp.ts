import { type ChildProcess, spawn } from "node:child_process";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { inRepository } from "../../../scripts/repository.mjs";
import { until } from "../../kernel/until.ts";
import { baseEnvironment } from "../cli/granary.ts";
import { revisions, type Wire } from "./connect.ts";

export interface Place {
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const program = inRepository("bin/granary");

/** A client of the SDK that has started the built program, or connected to its address. */
export async function clientOf(place: Place, wire: Wire, options: ClientOptions = {}): Promise<Started> {
  if (wire.over === "stdio") {
    const client = newClient(wire, options);
    const { cwd, args = [], env = {} } = place;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", ...args],
      cwd,
      env: { ...baseEnvironment(), ...env },
      stderr: "ignore",
    });
    await client.connect(transport);
    return { client, [Symbol.asyncDispose]: () => client.close() };
  }
  const server = await HttpGranary.start(place);
  const client = await server.connect(wire, options);
  const close = async (): Promise<void> => {
    await client.close();
    await server[Symbol.asyncDispose]();
  };
  return { client, server, [Symbol.asyncDispose]: close };
}

export interface Started extends AsyncDisposable {
  readonly client: Client;
  readonly server?: HttpGranary;
}

/** A running `granary mcp --http`. */
export class HttpGranary implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  stderr = "";

  constructor({ cwd, args = [], env = {} }: Place) {
    const all = [program, "mcp", "--http", "127.0.0.1:0", ...args];
    const child = spawn(process.execPath, all, {
      cwd,
      env: { ...baseEnvironment(), ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.process = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve) => child.on("exit", resolve));
  }

  static async start(place: Place): Promise<HttpGranary> {
    const server = new HttpGranary(place);
    await until("the server says where it is", () => /serving MCP at \S+\n/.test(server.stderr));
    return server;
  }

  get url(): string {
    return /serving MCP at (\S+)/.exec(this.stderr)?.[1] ?? "";
  }

  /** Connects with the token that the program has printed, or with another. */
  async connect(
    wire: Pick<Wire, "revision">,
    options: ClientOptions = {},
    resume: { sessionId?: string } = {},
    token?: string,
  ): Promise<Client> {
    const client = newClient(wire, options);
    const requestInit = { headers: { Authorization: `Bearer ${token ?? (await this.#shownToken())}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url), { requestInit, ...resume }));
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGTERM");
    await this.exited;
  }

  async #shownToken(): Promise<string> {
    const shown = /Bearer ([\w-]+)"\n/;
    await until("the server shows its token", () => shown.test(this.stderr));
    return shown.exec(this.stderr)?.[1] ?? "";
  }
}

function newClient({ revision }: Pick<Wire, "revision">, options: ClientOptions): Client {
  return new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: revisions[revision] }, ...options });
}
