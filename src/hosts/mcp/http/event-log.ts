import type { EventId, EventStore, JSONRPCMessage, StreamId } from "@modelcontextprotocol/server";

interface LoggedEvent {
  readonly number: number;
  readonly stream: StreamId;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** The newest bytes of a session, kept for a client whose connection broke. */
const mostBytes = 4_000_000;

/** Messages sent to one session, so that a client that reconnects gets what it has missed. */
export class EventLog implements EventStore {
  #events: LoggedEvent[] = [];
  #bytes = 0;
  #next = 1;

  async storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const number = this.#next++;
    const bytes = JSON.stringify(message).length;
    this.#events.push({ number, stream, message, bytes });
    this.#bytes += bytes;
    this.#forgetOldest();
    return `${stream}/${number}`;
  }

  async getStreamIdForEventId(id: EventId): Promise<StreamId | undefined> {
    return parseId(id)?.stream;
  }

  async replayEventsAfter(
    lastId: EventId,
    { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const last = parseId(lastId);
    if (last === null) throw new Error(`${lastId} is not an event of this session.`);
    const missed = this.#events.filter(({ stream, number }) => stream === last.stream && number > last.number);
    for (const { number, stream, message } of missed) {
      // The event that opens a stream has no content.
      if (Object.keys(message).length > 0) await send(`${stream}/${number}`, message);
    }
    return last.stream;
  }

  /** The last one stays regardless of its size: a client waits for it. */
  #forgetOldest(): void {
    let gone = 0;
    while (this.#bytes > mostBytes && gone < this.#events.length - 1) this.#bytes -= this.#events[gone++]?.bytes ?? 0;
    if (gone > 0) this.#events = this.#events.slice(gone);
  }
}

function parseId(id: EventId): { readonly stream: StreamId; readonly number: number } | null {
  const match = /^(.+)\/(\d{1,15})$/.exec(id);
  return match === null ? null : { stream: match[1] ?? "", number: Number(match[2]) };
}
