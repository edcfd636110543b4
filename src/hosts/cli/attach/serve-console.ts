import { findLivingSession } from "../../../hub/server/find-session.ts";
import type { Hub, HubClient } from "../../../hub/server/hub.ts";
import type { Kernel } from "../../../kernel/kernel.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import { realFolder } from "../../../session/real-folder.ts";
import { sessionNameOf } from "../../../session/session-pool.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { processContext, typedPath } from "../command/command-context.ts";
import { openConsoleRuntime } from "../command/console-runtime.ts";
import { checkFolder } from "../command/open-runtime.ts";
import { hubNotWanted } from "../run/run-typed-cells.ts";
import type { ClientTerminal } from "./client-terminal.ts";
import type { ConsoleWish } from "./console-requests.ts";
import { savePictureIn } from "./save-picture-in.ts";

type KeptSession = import("../../tui/kept/kept-session.ts").KeptSession;

export interface ConsoleService {
  readonly hub: Hub;
  readonly client: HubClient;
  readonly terminal: ClientTerminal;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** Shows the console at the client's terminal until the person leaves; its cells continue after that. */
export async function serveConsole(
  wish: ConsoleWish,
  { hub, client, terminal, signal }: ConsoleService,
): Promise<LeftSession> {
  const { args, env } = wish;
  const chosen = typedPath(args.cwd ?? ".", wish);
  const meant = { name: args.session ?? "", folder: chosen, elsewhere: args.cwd === undefined };
  const joins = wish.joins ? findLivingSession(hub, meant) : undefined;
  const cwd = joins === undefined ? chosen : hub.sessions.keyOf(joins).cwd;
  await checkFolder(cwd);
  const { startConsole } = await import("../../tui/start-console.ts");
  await startConsole({
    device: terminal,
    ...{ env, cwd, signal, home: granaryHome(env), session: args.session },
    timeoutMs: args.timeoutMs ?? Number.POSITIVE_INFINITY,
    kept: keptSession(hub, client, joins),
    openRuntime: async () => {
      const timeoutMs = args.timeoutMs ?? Number.POSITIVE_INFINITY;
      const { loadBackend } = processContext;
      const runtime = await openConsoleRuntime({ ...args, timeoutMs }, cwd, { env, loadBackend }, hub.sessions);
      if (runtime.settings.hub.use === "never") throw hubNotWanted();
      return runtime;
    },
    savePicture: savePictureIn(env),
  });
  const folder = realFolder(cwd);
  const left = hub.living.find((session) => session.id === args.session && hub.sessions.keyOf(session).cwd === folder);
  return { stays: left === undefined ? null : { name: left.id, folder } };
}

/** The end of a console. */
export interface LeftSession {
  /** The session that is still there; null when it has ended. */
  readonly stays: { readonly name: string; readonly folder: string } | null;
}

function keptSession(hub: Hub, { owner }: HubClient, joins: LocalSession | undefined): KeptSession {
  const nameOf = (session: SharedSession): string => sessionNameOf(hub.sessions.keyOf(session as LocalSession));
  return {
    owner,
    joins,
    history: (session) => hub.history(hub.sessions.keyOf(session as LocalSession)).read(),
    work: (session) => (session as LocalSession).work,
    onExecution: (session, listener) => {
      const name = nameOf(session);
      return hub.onExecution((execution, key) => {
        if (sessionNameOf(key) === name) listener(execution);
      });
    },
    onBackground: hearBackground,
  };
}

/** The session's own listener would take the output from the next result of another client. */
function hearBackground(session: SharedSession, listener: Parameters<Kernel["onBackground"]>[0]): () => void {
  let heard: Kernel | null = null;
  let hears: typeof listener | null = listener;
  const hear = (): void => {
    if (session.kernel === null || session.kernel === heard) return;
    heard = session.kernel;
    heard.onBackground((text, name) => hears?.(text, name));
  };
  const stop = session.watch(hear);
  hear();
  return () => {
    stop();
    hears = null;
  };
}
