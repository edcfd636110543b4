import { connectHub } from "../../../hub/client/connect-hub.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { ownVersion } from "../../../support/files/own-version.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { CommandContext } from "../command/command-context.ts";
import { UsageError } from "../command/usage-error.ts";

/** The address of the hub's Jupyter door, with its token. Starts the hub if none runs. */
export async function openJupyterDoor({ env, cwd }: Pick<CommandContext, "env" | "cwd">): Promise<string> {
  if (env.GRANARY_HUB === "never") throw new UsageError("granary hub jupyter needs the hub, and GRANARY_HUB is never.");
  const peer = await connectHub({ home: granaryHome(env), env, version: await ownVersion(), name: "granary" });
  if (peer === null) throw new GranaryError("hub-start", "The hub could not be started. See: granary hub log");
  try {
    const { address } = await peer.request<{ readonly address: string }>("jupyter", { cwd, env });
    return address;
  } finally {
    // An open connection keeps the process running.
    peer.close();
  }
}
