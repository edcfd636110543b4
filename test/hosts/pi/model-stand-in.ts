import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A model's turn: words, or a tool call. */
export type Turn = { readonly says: string } | { readonly calls: string; readonly with: object };

/** A request to the model: the whole conversation so far. */
interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

/**
 * Stands in for a model behind the common "chat completions" interface, on this machine only: it answers with one
 * scripted turn after the other.
 */
export async function standInForModel(turns: readonly Turn[]) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    asked.push(JSON.parse(await bodyOf(request)));
    const turn = turns[asked.length - 1] ?? { says: "I have nothing more to say." };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunksOf(turn, asked.length)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}

function chunksOf(turn: Turn, number: number): readonly object[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: `turn-${number}`,
    object: "chat.completion.chunk",
    created: 0,
    model: "stand-in",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  if ("says" in turn) return [chunk({ role: "assistant", content: turn.says }), chunk({}, "stop")];
  const call = { name: turn.calls, arguments: JSON.stringify(turn.with) };
  const calls = [{ index: 0, id: `call-${number}`, type: "function", function: call }];
  return [chunk({ role: "assistant", tool_calls: calls }), chunk({}, "tool_calls")];
}
