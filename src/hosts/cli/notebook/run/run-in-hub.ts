import { connectHub } from "../../../../hub/client/connect-hub.ts";
import { granaryHome } from "../../../../settings/granary-home.ts";
import { ownVersion } from "../../../../support/files/own-version.ts";
import { isGranaryError } from "../../../../support/granary-error.ts";
import { type CommandContext, typedPath } from "../../command/command-context.ts";
import { say } from "../../command/say.ts";
import type { NotebookEnd, NotebookNews, NotebookWish } from "../../hub/notebook-requests.ts";
import type { NotebookRunArguments } from "./notebook-run-arguments.ts";
import { besideProgress, type ProgressReport } from "./progress.ts";

interface NotebookClient extends Pick<NotebookWish, "path" | "saveTo"> {
  readonly context: CommandContext;
  readonly signal: AbortSignal;
  readonly progress: ProgressReport;
}

/** Runs the notebook in a session of the hub; null where the hub is not wanted or cannot start, so that it runs in this process. */
export async function runNotebookInHub(
  args: NotebookRunArguments,
  { context, signal, progress, path, saveTo }: NotebookClient,
): Promise<NotebookEnd | null> {
  const { env, cwd } = context;
  const peer = await connectHub({
    ...{ home: granaryHome(env), env, version: await ownVersion(), name: "granary notebook run", signal },
    settingsOf: typedPath(args.cwd ?? ".", context),
  }).catch(async (error: unknown) => {
    if (!isGranaryError(error, "hub-start")) throw error;
    await say(context.stderr, `granary: ${error.message}\n`);
    return null;
  });
  if (peer === null) return null;
  const timeoutMs = args.timeoutMs === Number.POSITIVE_INFINITY ? null : args.timeoutMs;
  const wish: NotebookWish = {
    ...{ args: { ...args, timeoutMs }, path, saveTo, cwd, env: { ...env } },
    terminals: (["stdin", "stdout", "stderr"] as const).filter((stream) => context.isTerminal(stream)),
  };
  const stderr = besideProgress(context);
  try {
    return await peer.request<NotebookEnd>("notebook", wish, {
      signal,
      onEvent: (event) => {
        const news = event as unknown as NotebookNews;
        if ("note" in news) stderr.write(`${news.note}\n`);
        else progress.take(news.progress);
      },
    });
  } catch (error) {
    if (isGranaryError(error) && error.details.notWanted === true) return null;
    throw error;
  } finally {
    peer.destroy();
  }
}
