import { connectHub } from "../../../../hub/client/connect-hub.ts";
import { granaryHome } from "../../../../settings/granary-home.ts";
import type { Environment } from "../../../../support/environment.ts";
import { ownVersion } from "../../../../support/files/own-version.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { UsageError } from "../../command/usage-error.ts";

/** The folder and the environment of sessions that a site's clients start. */
export interface SiteWish {
  readonly cwd: string;
  readonly env: Environment;
}

/** The address of a site of the hub, with its secret. Starts the hub if none runs. */
export async function siteAddress(
  site: "jupyter" | "page",
  command: string,
  { env, cwd }: Pick<CommandContext, "env" | "cwd">,
): Promise<string> {
  if (env.GRANARY_HUB === "never") throw new UsageError(`${command} needs the hub, and GRANARY_HUB is never.`);
  const home = granaryHome(env);
  const peer = await connectHub({ home, env, version: await ownVersion(), name: "granary", settingsOf: cwd });
  if (peer === null)
    throw new UsageError(
      `${command} needs the hub, and the setting hub.use is never. For this time: GRANARY_HUB=auto ${command}`,
    );
  try {
    const wish: SiteWish = { cwd, env };
    const { address } = await peer.request<{ readonly address: string }>(site, wish);
    return address;
  } finally {
    // An open connection keeps the process running.
    peer.close();
  }
}
