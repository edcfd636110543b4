import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import type { PageCell } from "../../../src/hosts/page/api/cells.ts";
import type { SessionEvent } from "../../../src/hosts/page/api/events.ts";
import { openPage } from "./open-page.ts";

const page = await openPage();
const agent = page.runtime.session("flood", { owner: "claude", label: "claude" });
await agent.run("from IPython.display import display").result;
const { body: listed } = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
const at = `sessions/${listed.sessions[0]?.id}`;

type Snapshot = Extract<SessionEvent, { type: "snapshot" }>;

/** A reader with a connection of its own, which can stop reading. */
async function openReader() {
  const headers = { Authorization: `Bearer ${page.token}` };
  const request = get({ host: "127.0.0.1", port: page.port, path: `/page/api/${at}/events`, headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.setEncoding("utf8");
  const seen: SessionEvent[] = [];
  let rest = "";
  response.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    seen.push(...lines.filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6))));
  });
  const next = async (wanted: (event: SessionEvent) => boolean): Promise<SessionEvent> => {
    for (;;) {
      for (let event = seen.shift(); event !== undefined; event = seen.shift()) if (wanted(event)) return event;
      await once(response, "data");
    }
  };
  return { response, next };
}

const isSnapshot = (event: SessionEvent): event is Snapshot => event.type === "snapshot";
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

test("a reader that stops reading misses changes, and gets the present when it reads again", async () => {
  const { response, next } = await openReader();
  await next(isSnapshot);
  response.pause();
  // 30 MB for this reader: far more than a connection holds.
  for (let cell = 0; cell < 6; cell++) {
    await agent.run(`for n in range(5): display({'application/x-big': '${cell}' + 'x' * 1_000_000}, raw=True)`).result;
  }
  await agent.run("print('the last')").result;
  response.resume();
  const { cells, hasGap, hasEarlier } = (await next((event) => isSnapshot(event) && event.hasGap)) as Snapshot;
  expect({ hasGap, hasEarlier }).toEqual({ hasGap: true, hasEarlier: true });
  expect(cells.at(-1)?.outputs[0]).toMatchObject({ text: "the last\n" });
  await agent.run("print('and live again')").result;
  await next((event) => event.type === "text" && event.text === "and live again\n");
  response.destroy();
});

test("a snapshot has as many cells as fit, and the others can be asked for", async () => {
  const { response, next } = await openReader();
  const { cells, hasEarlier } = (await next(isSnapshot)) as Snapshot;
  response.destroy();
  expect(hasEarlier).toBe(true);
  expect(sizeOf(cells)).toBeLessThan(6_000_000);
  const { body } = await page.rest<{ cells: readonly PageCell[] }>("GET", `${at}/cells?before=${cells[0]?.id}`);
  expect(body.cells.length).toBeGreaterThan(0);
  expect(sizeOf(body.cells)).toBeLessThan(6_000_000);
});

test("displays of one cell beyond a bound are named and counted", async () => {
  await agent.run("for n in range(10): display({'application/x-big': 'x' * 1_000_000}, raw=True)").result;
  const { response, next } = await openReader();
  const { cells } = (await next(isSnapshot)) as Snapshot;
  const outputs = cells.at(-1)?.outputs ?? [];
  expect(outputs).toHaveLength(10);
  expect(sizeOf(outputs)).toBeLessThan(7_000_000);
  expect(outputs.at(-1)).toMatchObject({ tooLarge: { "application/x-big": expect.any(Number) } });

  await agent.run("for n in range(1100): display(n)\nprint('end')").result;
  const ended = (await next((event) => event.type === "text" && event.text === "end\n")) as Extract<
    SessionEvent,
    { type: "text" }
  >;
  expect(ended.at).toBe(1001);
  const again = await openReader();
  const after = ((await again.next(isSnapshot)) as Snapshot).cells.at(-1)?.outputs ?? [];
  expect(after.slice(1000)).toMatchObject([{ text: "100 more displays are left out.\n" }, { text: "end\n" }]);
  response.destroy();
  again.response.destroy();
});
