import { DoorUser } from "../hosts/jupyter/door-user.ts";
import { agentOf } from "../hub/agent.ts";
import type { TestHub } from "../hub/test-hub.ts";

interface PageOfHub {
  readonly origin: string;
  readonly token: string;
}

interface DoorOfHub {
  readonly port: number;
  readonly token: string;
}

/** Clients of the hub that come and go: commands, MCP servers, tabs of the page, programs of Jupyter. */
export class Visitors {
  readonly #hub: TestHub;
  readonly #page: PageOfHub;
  readonly #door: DoorOfHub;

  private constructor(hub: TestHub, page: PageOfHub, door: DoorOfHub) {
    this.#hub = hub;
    this.#page = page;
    this.#door = door;
  }

  static async of(hub: TestHub): Promise<Visitors> {
    const { origin, hash } = new URL((await hub.granary(["page", "--no-open"])).stdout);
    const body = JSON.stringify({ code: hash.slice("#code=".length) });
    const exchanged = await fetch(`${origin}/page/api/token`, { method: "POST", body });
    const { token } = (await exchanged.json()) as { readonly token: string };
    const jupyter = new URL((await hub.granary(["hub", "jupyter"])).stdout);
    const door = { port: Number(jupyter.port), token: jupyter.searchParams.get("token") ?? "" };
    return new Visitors(hub, { origin, token }, door);
  }

  async comeAndGo(): Promise<void> {
    const stop = new AbortController();
    const reading = this.#tab(stop.signal, true);
    // Has a connection, and never reads.
    const stuck = this.#tab(stop.signal, false);
    await this.#hub.run("visited", "for n in range(2000): print(n, 'x' * 300)");
    await this.#mcpClient();
    await this.#jupyterClient();
    await this.#hub.granary(["sessions", "--json"]);
    stop.abort();
    if ((await reading) === 0) throw new Error("The page has sent nothing.");
    await stuck;
    await this.#hub.granary(["sessions", "stop", "visited", "--force"]);
  }

  /** How many bytes have come. */
  async #tab(signal: AbortSignal, reads: boolean): Promise<number> {
    const headers = { Authorization: `Bearer ${this.#page.token}` };
    let bytes = 0;
    try {
      const { body } = await fetch(`${this.#page.origin}/page/api/events`, { headers, signal });
      if (reads) for await (const chunk of body ?? []) bytes += chunk.length;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return bytes;
  }

  async #mcpClient(): Promise<void> {
    await using agent = await agentOf(this.#hub);
    const text = await agent.call("python", { cells: [{ code: "6 * 7" }], session: "visited" });
    if (!text.includes("42")) throw new Error(text);
  }

  async #jupyterClient(): Promise<void> {
    const { port, token } = this.#door;
    const listed = await fetch(`http://127.0.0.1:${port}/api/sessions?token=${token}`).then((answer) => answer.json());
    const visited = (listed as { name: string; kernel: { id: string } }[]).find(({ name }) => name === "visited");
    const user = await DoorUser.connect(this.#door, visited?.kernel.id ?? "");
    await user.run("print(6 * 7)");
    await user.close();
  }
}
