import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { isLong } from "../../environment/variants.ts";
import { isRunning } from "../../kernel/processes.ts";
import { until } from "../../kernel/until.ts";
import { wires } from "./connect.ts";
import { clientOf, HttpGranary } from "./granary-mcp.ts";

const main = environment("main");
const cwd = realpathSync(mkdtempSync(join(tmpdir(), "granary-mcp-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const place = { cwd, args: "python" in main ? ["--python", main.python] : [] };

test("a fifth session does not cost the first one its variables, and a picture is between the text around it", async () => {
  const [wire] = wires;
  if (wire === undefined) return expect.unreachable();
  await using started = await clientOf({ cwd }, wire);
  const run = (session: string, code: string) =>
    started.client.callTool({ name: "python", arguments: { cells: [{ code }], session } }) as Promise<CallToolResult>;
  for (const session of ["a", "b", "c", "d", "e"]) await run(session, `name = ${JSON.stringify(session)}`);
  expect(textOf(await run("a", "name"))).toContain("'a'");

  const png = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg==";
  const code = `display({"image/png": "${png}", "text/plain": "<Figure>"}, raw=True); print("middle"); print("<Figure>")`;
  const { content } = (await started.client.callTool({
    name: "python",
    arguments: { cells: [{ code }] },
  })) as CallToolResult;
  expect(content).toEqual([
    { type: "text", text: "<Figure>" },
    { type: "image", data: png, mimeType: "image/png" },
    { type: "text", text: "middle\n<Figure>" },
  ]);
});

/** The tests above have the other transport and the other revision; `protocol.test.ts` has all four. */
const someWires = isLong ? wires : wires.slice(3);

describe.skipIf("missing" in main).each(someWires)("an agent's day over $over, revision $revision", (wire) => {
  test("plots, waits, cancels, runs a notebook and reads a long output", async () => {
    await using started = await clientOf(place, wire, { capabilities: { elicitation: {} } });
    const { client } = started;
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { answer: "Ada" } }));
    await client.listTools();

    // A plot is a picture.
    const plot = await python(client, "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9]);");
    const picture = plot.content.find((part) => part.type === "image");
    expect(picture?.mimeType).toBe("image/png");
    expect(
      Buffer.from(picture?.data ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");

    // A long cell reports progress; it ends when the test has read that.
    const flag = join(cwd, `${wire.over}-${wire.revision}`);
    const waits = `import os, time\nx = 41\nprint("at work")\nwhile not os.path.exists(${JSON.stringify(flag)}): time.sleep(0.01)\nprint("done")`;
    const long = await python(client, waits, {
      onprogress: ({ message }) => void (message?.includes("at work") && writeFileSync(flag, "")),
    });
    expect(textOf(long)).toContain("done");

    // Cancelling stops the cell and keeps the variables.
    const stop = new AbortController();
    const endless = python(client, 'print("endless")\nwhile True: time.sleep(0.01)', {
      onprogress: ({ message }) => void (message?.includes("endless") && stop.abort()),
      signal: stop.signal,
    });
    await expect(endless).rejects.toThrow();
    expect(textOf(await python(client, "x + 1"))).toContain("42");

    // A notebook is edited and run; its outputs are in the file, which is a resource.
    const path = `${wire.over}-${wire.revision}.ipynb`;
    const notebook = (args: object) => client.callTool({ name: "notebook", arguments: { path, ...args } });
    await notebook({ action: "new" });
    await notebook({ action: "insert", cell_index: 0, content: "print('from the notebook', 6 * 7)" });
    const run = await notebook({ action: "run" });
    expect(textOf(run)).toContain("from the notebook 42");
    expect(JSON.parse(readFileSync(join(cwd, path), "utf8")).cells[0].outputs).toMatchObject([
      { output_type: "stream" },
    ]);
    const book = await client.readResource({ uri: `notebook:///${path}` });
    expect(book.contents).toMatchObject([{ text: expect.stringContaining("6 * 7") }]);

    // A function marked in a cell becomes a tool.
    await python(client, "@tool\ndef double(number: int) -> int:\n    'Twice as much.'\n    return number * 2");
    expect((await client.listTools()).tools).toContainEqual(expect.objectContaining({ name: "double" }));
    expect(textOf(await client.callTool({ name: "double", arguments: { number: 21 } }))).toContain("42");

    // A person is asked.
    expect(textOf(await python(client, 'f"hello {input()}"'))).toContain("hello Ada");

    // Output too long for a result is a resource.
    const flood = await python(client, "for number in range(20_000): print(f'line {number} of many')");
    const artifact = flood.content.find((part) => part.type === "resource_link");
    expect(artifact?.uri).toMatch(/^artifact:\/\//);
    const { contents } = await client.readResource({ uri: `${artifact?.uri}:15001-15002` });
    expect(contents).toMatchObject([{ text: expect.stringContaining("line 15000 of many") }]);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(artifact?.uri);
  });
});

describe.skipIf("missing" in main)("over HTTP", () => {
  let server: HttpGranary;
  beforeAll(async () => {
    server = await HttpGranary.start(place);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("a client that reconnects to its session finds its variables", async () => {
    const wire = { revision: "2025-11-25" } as const;
    const client = await server.connect(wire);
    await python(client, "x = 42");
    const { sessionId } = client.transport as { sessionId?: string };
    await client.close();
    const again = await server.connect(wire, {}, { sessionId: sessionId as string });
    expect(textOf(await python(again, "x"))).toContain("42");
    const another = await server.connect(wire);
    expect(textOf(await python(another, "x"))).toContain("NameError");
    await Promise.all([again.close(), another.close()]);
  });

  test("without sessions, the token finds them", async () => {
    const wire = { revision: "2026-07-28" } as const;
    const client = await server.connect(wire);
    await python(client, "x = 42");
    await client.close();
    const again = await server.connect(wire);
    expect(textOf(await python(again, "x"))).toContain("42");
    await again.close();
  });

  test("five clients make fifty calls at once, and each has its own variables", async () => {
    const clients = await Promise.all([1, 2, 3, 4, 5].map(() => server.connect({ revision: "2025-11-25" })));
    await Promise.all(clients.map((client, index) => python(client, `mine = ${index}\ncount = 0`)));
    const calls = clients.flatMap((client, index) =>
      Array.from({ length: 10 }, async () => ({
        index,
        text: textOf(await python(client, "count += 1\n(mine, count)")),
      })),
    );
    const answers = await Promise.all(calls);
    for (const [index] of clients.entries()) {
      const own = answers.filter((answer) => answer.index === index).map(({ text }) => text.trim());
      expect(own.sort()).toEqual(Array.from({ length: 10 }, (_, count) => `(${index}, ${count + 1})`).sort());
    }
    await Promise.all(clients.map((client) => client.close()));
  });
});

describe.skipIf("missing" in main)("shutdown", () => {
  test("the end of standard input ends Python, even in the middle of a cell", async () => {
    await using started = await clientOf(place, { over: "stdio", revision: "2025-11-25" });
    const pid = await pidOfEndlessCell(started.client);
    await started.client.close();
    await until("Python has ended", () => !isRunning(pid));
  });

  test.each(["SIGTERM", "SIGINT"] as const)("%s ends the server and Python", async (signal) => {
    const server = await HttpGranary.start(place);
    const client = await server.connect({ revision: "2025-11-25" });
    const pid = await pidOfEndlessCell(client);
    server.process.kill(signal);
    expect(await server.exited).toBe(signal === "SIGTERM" ? 143 : 130);
    expect(isRunning(pid)).toBe(false);
    await client.close();
  });
});

type RequestOptions = NonNullable<Parameters<Client["callTool"]>[1]>;

function python(client: Client, code: string, options: RequestOptions = {}): Promise<CallToolResult> {
  return client.callTool({ name: "python", arguments: { cells: [{ code }] } }, options);
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}

async function pidOfEndlessCell(client: Client): Promise<number> {
  return new Promise((resolve) => {
    const code = 'import os, time\nprint("pid", os.getpid())\nwhile True: time.sleep(1)';
    const onprogress: RequestOptions["onprogress"] = ({ message }) => {
      const pid = /pid (\d+)/.exec(message ?? "")?.[1];
      if (pid !== undefined) resolve(Number(pid));
    };
    python(client, code, { onprogress }).catch(() => undefined);
  });
}
