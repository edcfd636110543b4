import fc from "fast-check";
import { expect, test } from "vitest";
import { EventLog } from "../../../../src/hosts/mcp/http/event-log.ts";

const message = (text: string) => ({ jsonrpc: "2.0", method: "test", params: { text } }) as const;

async function replay(log: EventLog, lastId: string): Promise<string[]> {
  const texts: string[] = [];
  await log.replayEventsAfter(lastId, {
    send: async (_, event) => void texts.push((event as ReturnType<typeof message>).params.text),
  });
  return texts;
}

test("a client that reconnects gets the messages of its stream since the last seen one, in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "b/c", "_GET_stream"), { minLength: 1 }),
      fc.nat(),
      async (streams, at) => {
        const log = new EventLog();
        const ids: string[] = [];
        for (const [index, stream] of streams.entries()) ids.push(await log.storeEvent(stream, message(String(index))));
        const seen = at % streams.length;
        const missed = streams.flatMap((stream, index) =>
          index > seen && stream === streams[seen] ? String(index) : [],
        );
        expect(await replay(log, ids[seen] as string)).toEqual(missed);
        expect(await log.getStreamIdForEventId(ids[seen] as string)).toBe(streams[seen]);
      },
    ),
  );
});

test("only the newest messages are kept, and always the last one", async () => {
  const log = new EventLog();
  const first = await log.storeEvent("a", message("first"));
  await log.storeEvent("a", message("x".repeat(3_000_000)));
  await log.storeEvent("a", message("y".repeat(5_000_000)));
  expect((await replay(log, first)).map(([letter]) => letter)).toEqual(["y"]);
});

test("an event of another session is refused", async () => {
  expect(await new EventLog().getStreamIdForEventId("nonsense")).toBeUndefined();
  await expect(replay(new EventLog(), "nonsense")).rejects.toThrow("is not an event of this session");
});
