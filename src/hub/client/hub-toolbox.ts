import { failureOf } from "../../session/failure.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { givenSchema } from "../../tools/definition/json-schema.ts";
import type { Tool, ToolCall, ToolResult, ToolUpdate } from "../../tools/definition/tool.ts";
import type { Toolbox } from "../../tools/toolbox.ts";
import type { AgentFacts, AgentWish, ToolFacts } from "../agent-wire.ts";
import type { Peer } from "../wire/peer.ts";
import { type ConnectOptions, connectHub } from "./connect-hub.ts";
import { LostVariables } from "./lost-variables.ts";

/** The tools of an agent in the hub. */
export interface HubToolbox extends Omit<Toolbox, "context"> {
  /** Keeps content that is too large for a result, and returns its address; null when that failed. */
  keep(content: Uint8Array | string, mimeType: string): Promise<string | null>;
  artifacts(): Promise<readonly { readonly id: string; readonly mimeType: string; readonly bytes: number }[]>;
}

/** Opens the agent in the hub, which is started if none runs. */
export async function openHubToolbox(
  wish: AgentWish,
  options: Pick<ConnectOptions, "home" | "env" | "version" | "signal">,
): Promise<HubToolbox> {
  const toolbox = new ToolsInHub(wish, options);
  await toolbox.connect();
  return toolbox;
}

class ToolsInHub implements HubToolbox {
  readonly #wish: AgentWish;
  readonly #options: Pick<ConnectOptions, "home" | "env" | "version" | "signal">;
  readonly #answers = new Map<number, NonNullable<ToolCall["answer"]>>();
  readonly #listeners = new Set<() => void>();
  readonly #lost = new LostVariables();
  #peer: Promise<Peer> | null = null;
  #tools: readonly Tool[] = [];
  #lastQuestion = 0;
  notices: readonly string[] = [];
  help: ReadonlyMap<string, string> = new Map();

  constructor(wish: AgentWish, options: Pick<ConnectOptions, "home" | "env" | "version" | "signal">) {
    this.#wish = wish;
    this.#options = options;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  find(name: string): Tool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }

  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async keep(content: Uint8Array | string, mimeType: string): Promise<string | null> {
    return (await this.connect()).request("agent.keep", { mimeType }, { body: content });
  }

  async artifacts() {
    const peer = await this.connect();
    return peer.request<Awaited<ReturnType<HubToolbox["artifacts"]>>>("agent.artifacts");
  }

  /** The sessions stay. */
  async close(): Promise<void> {
    const peer = await this.#peer?.catch(() => null);
    peer?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The connection; a new one after the hub has ended. */
  connect(): Promise<Peer> {
    this.#peer ??= this.#open();
    this.#peer.catch(() => {
      this.#peer = null;
    });
    return this.#peer;
  }

  async #open(): Promise<Peer> {
    const peer = (await connectHub({
      ...this.#options,
      name: this.#wish.label,
      handlers: {
        answer: ({ question, prompt, password }: Question, { cancelled }) =>
          (this.#answers.get(question) ?? refuse)(prompt, password, cancelled),
      },
      onNews: (name, news) => {
        if (name === "tools") this.#replace(news as readonly ToolFacts[]);
      },
    })) as Peer;
    void peer.closed.then(() => {
      this.#peer = null;
    });
    const { hub, tools, notices, help } = await peer.request<AgentFacts>("agent.open", this.#wish);
    this.#lost.connected(hub);
    this.notices = notices;
    this.help = new Map(help);
    this.#replace(tools);
    return peer;
  }

  #replace(tools: readonly ToolFacts[]): void {
    this.#tools = tools.map((facts) => this.#tool(facts));
    for (const listener of this.#listeners) listener();
  }

  #tool({ name, title, description, input, output, hints }: ToolFacts): Tool {
    return {
      ...{ name, title, description, hints },
      inputSchema: givenSchema(input),
      outputSchema: givenSchema(output),
      run: (given, call = {}) => this.#run(name, given, call),
    };
  }

  async #run(tool: string, input: unknown, { signal, onUpdate, answer }: ToolCall): Promise<ToolResult> {
    const question = answer === undefined ? null : ++this.#lastQuestion;
    if (question !== null && answer !== undefined) this.#answers.set(question, answer);
    try {
      const peer = await this.connect();
      const result = await peer.request<ToolResult>(
        "agent.call",
        { tool, input, question },
        {
          signal,
          onEvent: (update) => onUpdate?.(update as unknown as ToolUpdate),
        },
      );
      return this.#lost.reportIn(result);
    } catch (error) {
      if (isGranaryError(error, "hub-gone")) {
        this.#lost.callFailed();
        // One that is ending may keep the connection for a while.
        this.#peer = null;
      }
      return failed(signal?.aborted ? new GranaryError("cancelled", "The call was cancelled.") : error);
    } finally {
      if (question !== null) this.#answers.delete(question);
    }
  }
}

interface Question {
  readonly question: number;
  readonly prompt: string;
  readonly password: boolean;
}

async function refuse(): Promise<never> {
  throw new Error("The call that asked is over.");
}

/** A failure is a result, as with every tool. */
function failed(error: unknown): ToolResult {
  const { code, message } = failureOf(error);
  const lost = isGranaryError(error, "hub-gone") ? " Variables are gone." : "";
  const text = `${message}${lost}`;
  return {
    content: [{ type: "text", text: `Error: ${text}` }],
    isError: true,
    details: null,
    structured: { error: { code, message: text } },
  };
}
