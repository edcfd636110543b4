import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HubFacts } from "../../src/hub/session-facts.ts";
import type { HubRecord } from "../../src/hub/start/hub-record.ts";
import {
  type Finished,
  type GranaryContext,
  granary,
  type ProgramContext,
  RunningGranary,
} from "../hosts/cli/granary.ts";

/** A hub with a home of its own, which ends with the test. */
export class TestHub implements AsyncDisposable {
  readonly home = mkdtempSync(join(tmpdir(), "granary-hub-"));
  readonly folder = mkdtempSync(join(tmpdir(), "granary-hub-folder-"));
  readonly env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.env = { GRANARY_HOME: this.home, GRANARY_HUB: "auto", ...env };
  }

  granary(args: readonly string[], context: GranaryContext = {}): Promise<Finished> {
    return granary(args, this.#context(context));
  }

  start(args: readonly string[], context: ProgramContext = {}): RunningGranary {
    return new RunningGranary(args, this.#context(context));
  }

  /** A cell in a session; its output. */
  async run(session: string, code: string): Promise<string> {
    const { stdout, stderr, exitCode } = await this.granary(["run", "--session", session, "-c", code]);
    if (exitCode !== 0) throw new Error(`${code}: ${exitCode} ${stdout} ${stderr}`);
    return stdout.trim();
  }

  async status(): Promise<HubFacts | null> {
    const { stdout } = await this.granary(["hub", "status", "--json"]);
    return (JSON.parse(stdout) as { readonly hub: HubFacts | null }).hub;
  }

  get record(): HubRecord {
    return JSON.parse(readFileSync(join(this.home, "hub/hub.json"), "utf8")) as HubRecord;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.granary(["hub", "stop", "--force"]);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    rmSync(this.folder, { recursive: true, force: true });
  }

  #context(context: ProgramContext): ProgramContext {
    return { cwd: this.folder, ...context, env: { ...this.env, ...context.env } };
  }
}
