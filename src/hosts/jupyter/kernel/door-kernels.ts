import { basename } from "node:path";
import type { LocalSession } from "../../../session/local-session.ts";
import type { DoorSessions } from "../door-sessions.ts";
import { DoorKernel } from "./door-kernel.ts";

/** The kernels behind a door: every session that has one. */
export class DoorKernels {
  readonly #sessions: DoorSessions;
  readonly #version: string;
  readonly #kernels = new Map<LocalSession, DoorKernel>();
  #started = 0;

  constructor(sessions: DoorSessions, version: string) {
    this.#sessions = sessions;
    this.#version = version;
  }

  get all(): readonly DoorKernel[] {
    const sessions = this.#sessions.all();
    const known = new Set(sessions);
    for (const session of this.#kernels.keys()) if (!known.has(session)) this.#forget(session);
    return sessions.map((session) => this.#of(session, false)).filter(({ isListed }) => isListed);
  }

  get(id: string): DoorKernel | undefined {
    return this.all.find((kernel) => kernel.id === id);
  }

  /** A new session with a kernel. @param folder where it should start, if that exists */
  async start(name: string | null, folder: string | null): Promise<DoorKernel> {
    const session = await this.#sessions.open(this.#freeName(name), folder);
    const kernel = this.#of(session, true);
    try {
      await kernel.start();
    } catch (error) {
      await kernel.close();
      throw error;
    }
    return kernel;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kernels.values()].map((kernel) => kernel.close()));
    this.#kernels.clear();
  }

  #of(session: LocalSession, isOurs: boolean): DoorKernel {
    const known = this.#kernels.get(session);
    if (known !== undefined) return known;
    const kernel = new DoorKernel(session, { sessions: this.#sessions, version: this.#version, isOurs });
    this.#kernels.set(session, kernel);
    return kernel;
  }

  /** The session was closed. */
  #forget(session: LocalSession): void {
    void this.#kernels.get(session)?.close();
    this.#kernels.delete(session);
  }

  /** People see the name in lists of sessions: that of the notebook, where there is one. */
  #freeName(wanted: string | null): string {
    const taken = new Set(this.#sessions.all().map(({ id }) => id));
    const first = wanted === null ? null : basename(wanted);
    if (first !== null && first !== "" && !taken.has(first)) return first;
    let name: string;
    do name = `${first || "jupyter"}-${++this.#started}`;
    while (taken.has(name));
    return name;
  }
}
