import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHubToolbox } from "../../../src/hub/client/hub-toolbox.ts";
import { conversationDefaults } from "../../../src/runtime/conversation-defaults.ts";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { ownVersion } from "../../../src/support/files/own-version.ts";
import { identityOf } from "../../../src/support/process/process-identity.ts";
import { usualResultBytes } from "../../../src/tools/code/result-budget.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { baseEnvironment } from "../../hosts/cli/granary.ts";
import { TestHub } from "../test-hub.ts";
import type { OpenedTools } from "./tools-contract.ts";

/** In this process, as hosts without the hub have them. */
export async function openDirectly(): Promise<OpenedTools> {
  const folder = mkdtempSync(join(tmpdir(), "granary-tools-"));
  const env = { ...baseEnvironment(), GRANARY_HOME: join(folder, ".home") };
  const runtime = await createRuntime({ cwd: folder, env, defaults: conversationDefaults });
  const toolbox = await createToolbox({ runtime, session: "main", owner: "agent", resultBytes: usualResultBytes });
  return {
    toolbox,
    folder,
    async close() {
      await toolbox.close();
      await runtime.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** In a hub of its own, over its socket, as `granary mcp` and pi have them. */
export async function openInHub(): Promise<OpenedTools> {
  const hub = new TestHub();
  const env = { ...baseEnvironment(), ...hub.env };
  const wish = {
    ...{ key: "agent", session: "main", label: "agent", client: identityOf(process.pid) },
    ...{ cwd: hub.folder, env, resultBytes: usualResultBytes },
  };
  const toolbox = await openHubToolbox(wish, { home: hub.home, env, version: await ownVersion() });
  return {
    toolbox,
    folder: hub.folder,
    async close() {
      await toolbox.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}
