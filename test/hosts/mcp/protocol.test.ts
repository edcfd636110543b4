import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContentBlock, Progress } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { instructions } from "../../../src/hosts/mcp/instructions.ts";
import { listNotebooks } from "../../../src/hosts/mcp/resources/list-notebooks.ts";
import { deferred } from "../../../src/support/deferred.ts";
import { GranaryError } from "../../../src/support/granary-error.ts";
import { connect, wires } from "./connect.ts";
import { say, TestAgent, toolThat } from "./test-agent.ts";

describe.each(wires)("over $over, revision $revision", (wire) => {
  test("tools are listed with schemas and annotations", async () => {
    await using connection = await connect(new TestAgent([toolThat("look", async () => say("seen"))]), wire);
    const { tools } = await connection.client.listTools();
    expect(tools).toMatchObject([
      {
        name: "look",
        title: "look",
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        outputSchema: { type: "object", properties: { seen: { type: "string" } } },
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
    ]);
  });

  test("a result has text, pictures, links and structured content", async () => {
    const tool = toolThat("show", async ({ text }) => ({
      content: [
        { type: "text", text: `got ${text}` },
        { type: "image", base64: "aGk=", mimeType: "image/png" },
        { type: "link", uri: "artifact://main-1", name: "main-1", mimeType: "text/plain" },
      ],
      structured: { seen: text },
    }));
    await using connection = await connect(new TestAgent([tool]), wire);
    await connection.client.listTools();
    const result = await connection.client.callTool({ name: "show", arguments: { text: "it" } });
    expect(result.content).toEqual([
      { type: "text", text: "got it" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "resource_link", uri: "artifact://main-1", name: "main-1", mimeType: "text/plain" },
    ]);
    expect(result.structuredContent).toEqual({ seen: "it" });
    expect(result.isError).toBeFalsy();
  });

  test("a failure in a tool is a result, and an unknown tool is an error that lists the known ones", async () => {
    const tool = toolThat("fail", async () => {
      throw Object.assign(new Error("It is Sunday. Come back tomorrow."), { code: "sunday" });
    });
    await using connection = await connect(new TestAgent([tool]), wire);
    await connection.client.listTools();
    const failed = await connection.client.callTool({ name: "fail", arguments: {} });
    expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Error: ") }] });
    const wrongInput = await connection.client.callTool({ name: "fail", arguments: { text: 7 } });
    expect(wrongInput).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Error: ") }] });
    await expect(connection.client.callTool({ name: "fial", arguments: {} })).rejects.toThrow("Did you mean fail?");
  });

  test("a call reports progress, with the end of its output", async () => {
    const seen = deferred<void>();
    const tool = toolThat("count", async (_, { onUpdate }) => {
      onUpdate?.({ text: "one\ntwo", details: {} });
      await seen.promise;
      return say("done");
    });
    await using connection = await connect(new TestAgent([tool]), wire);
    const progress: Progress[] = [];
    const onprogress = (note: Progress): void => {
      progress.push(note);
      seen.resolve();
    };
    await connection.client.callTool({ name: "count", arguments: {} }, { onprogress });
    expect(progress[0]?.message).toBe("one\ntwo");
  });

  test("cancelling a call reaches the tool", async () => {
    const began = deferred<void>();
    const cancelled = deferred<void>();
    const tool = toolThat("wait", async (_, { signal, onUpdate }) => {
      onUpdate?.({ text: "waiting", details: {} });
      began.resolve();
      await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      cancelled.resolve();
      return say("stopped");
    });
    await using connection = await connect(new TestAgent([tool]), wire);
    const controller = new AbortController();
    const call = connection.client.callTool({ name: "wait", arguments: {} }, { signal: controller.signal });
    await began.promise;
    controller.abort();
    await expect(call).rejects.toThrow();
    await cancelled.promise;
  });

  const asking = toolThat("ask", async ({ text }, { answer, signal }) => {
    if (answer === undefined) return say("nobody can answer");
    const ended = signal ?? new AbortController().signal;
    try {
      const first = await answer("Name? ", text === "secretly", ended);
      const second = await answer("", false, ended);
      return say(`${first} and ${second}`);
    } catch {
      return say("interrupted");
    }
  });

  test("a person answers input() where the client can ask one", async () => {
    await using connection = await connect(new TestAgent([asking]), wire, {
      capabilities: { elicitation: { form: {} } },
    });
    const questions: string[] = [];
    connection.client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return { action: "accept", content: { answer: questions.length === 1 ? "Ada" : "Grace" } };
    });
    const result = await connection.client.callTool({ name: "ask", arguments: {} });
    expect(texts(result.content)).toEqual(["Ada and Grace"]);
    expect(questions).toEqual([
      "The Python code that runs asks: Name?",
      "The Python code that runs asks for a line of input.",
    ]);
  });

  test("a person may decline to answer, and the result says so", async () => {
    await using connection = await connect(new TestAgent([asking]), wire, { capabilities: { elicitation: {} } });
    connection.client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
    const result = await connection.client.callTool({ name: "ask", arguments: {} });
    expect(texts(result.content)).toEqual(["interrupted", expect.stringContaining("declined to answer")]);
  });

  test("a password is never asked for", async () => {
    await using connection = await connect(new TestAgent([asking]), wire, { capabilities: { elicitation: {} } });
    connection.client.setRequestHandler("elicitation/create", () => {
      throw new Error("A password was asked for.");
    });
    const result = await connection.client.callTool({ name: "ask", arguments: { text: "secretly" } });
    expect(texts(result.content)).toEqual(["interrupted", expect.stringContaining("must not ask a person for")]);
  });

  test("where the client cannot ask, the tool knows that no one can answer", async () => {
    await using connection = await connect(new TestAgent([asking]), wire);
    const result = await connection.client.callTool({ name: "ask", arguments: {} });
    expect(texts(result.content)).toEqual(["nobody can answer"]);
  });

  test("resources are listed, have templates, and can be read; a failure says why", async () => {
    const read = toolThat("read", async () => say("unused"));
    const sources = {
      help: new Map([["python", "# python\nRuns cells."]]),
      read: { ...read, run: async (input: unknown) => ({ ...(await read.run({})), ...say(JSON.stringify(input)) }) },
      listNotebooks: async () => ["deep/My book.ipynb", "/other/x y#%?.ipynb"],
      listArtifacts: async () => [{ id: "main-3", mimeType: "text/plain", bytes: 12 }],
    };
    await using connection = await connect(new TestAgent([], { sources }), wire);
    const { client } = connection;
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      "granary://help/python",
      "notebook:///deep/My%20book.ipynb",
      "notebook:////other/x%20y%23%25%3F.ipynb",
      "artifact://main-3",
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "artifact://{id}{?lines}",
      "notebook:///{+path}",
      "granary://help/{tool}",
    ]);
    const textOf = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await textOf("granary://help/python")).toMatchObject({ text: "# python\nRuns cells." });
    expect(await textOf("notebook:///deep/My%20book.ipynb")).toMatchObject({ text: '{"path":"deep/My book.ipynb"}' });
    const parsed = new URL("notebook:////other/x%20y%23%25%3F.ipynb").href;
    expect(await textOf(parsed)).toMatchObject({ text: '{"path":"/other/x y#%?.ipynb"}' });
    expect(await textOf("artifact://main-3:1-5")).toMatchObject({ text: '{"path":"artifact://main-3:1-5"}' });
    await expect(textOf("granary://help/cobol")).rejects.toThrow("There is on: python.");
    await expect(textOf("https://example.com/")).rejects.toThrow("is not known here");
  });

  test("a tool that a cell defines is announced", async () => {
    const agent = new TestAgent([toolThat("one", async () => say("1"))]);
    const changed = deferred<readonly string[]>();
    const listChanged = {
      tools: {
        debounceMs: 0,
        onChanged: (_: unknown, tools: readonly { name: string }[] | null) =>
          changed.resolve((tools ?? []).map(({ name }) => name)),
      },
    };
    await using connection = await connect(agent, wire, { listChanged });
    await connection.client.listTools();
    agent.changeTools([...agent.tools, toolThat("two", async () => say("2"))]);
    expect(await changed.promise).toEqual(["one", "two"]);
  });
});

test("notices for an agent are logged when it asks for the tools, and are in the instructions", async () => {
  const agent = new TestAgent([], { notices: ["There is no Python here."] });
  await using connection = await connect(agent, { over: "stdio", revision: "2025-11-25" });
  const logged: unknown[] = [];
  connection.client.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params));
  await connection.client.listTools();
  expect(logged).toEqual([{ level: "warning", logger: "granary", data: "There is no Python here." }]);
  expect(connection.client.getInstructions()).toContain("There is no Python here.");
});

test("without Python, the instructions do not mention running notebooks", () => {
  const told = (...names: string[]) =>
    instructions({ notices: [], tools: names.map((name) => toolThat(name, async () => say(""))) });
  expect(told("python", "notebook")).toContain("Edit and run .ipynb files with the tool notebook.");
  expect(told("bash", "notebook")).toContain("Edit .ipynb files with the tool notebook.");
});

test("a notebook outside of the server's folder is listed by its absolute path, and one inside by its relative path", async () => {
  const folder = mkdtempSync(join(tmpdir(), "granary-notebooks-"));
  for (const name of ["here", "there"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "x y#%.ipynb"), "{}");
  }
  const found = await listNotebooks(() => [join(folder, "here"), join(folder, "there")], join(folder, "here"));
  expect(found).toEqual(["x y#%.ipynb", join(folder, "there/x y#%.ipynb")]);
  const refused = (): never => {
    throw new GranaryError("sandbox", "A sandbox here would protect nothing.");
  };
  expect(await listNotebooks(refused, folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

function texts(content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((part) => (part.type === "text" ? part.text : []));
}
