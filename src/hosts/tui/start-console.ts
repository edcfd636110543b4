import type { ReadersTerminal } from "../../kernel/kernel.ts";
import type { ImagePart } from "../../output/display/display-part.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { gutterWidth } from "../../view/lines/gutter.ts";
import type { PictureChoice } from "../../view/pictures/picture-protocol.ts";
import { askForBackground, terminalLook } from "../../view/theme/terminal-look.ts";
import type { ThemeOptions } from "../../view/theme/theme.ts";
import { Console } from "./console.ts";
import type { HistoryFile } from "./history/history-file.ts";
import type { KeptSession } from "./kept/kept-session.ts";
import { openScreen, type Screen } from "./screen.ts";
import type { TerminalDevice } from "./terminal-device.ts";
import { Workbench } from "./workbench.ts";

export interface StartConsoleOptions {
  readonly device: TerminalDevice;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Granary's home folder, which has the history. */
  readonly home: string;
  readonly session?: string | undefined;
  /** Where the session outlives the console, in the hub. */
  readonly kept?: KeptSession | undefined;
  /** Timeout of every cell; none by default. */
  readonly timeoutMs?: number | undefined;
  readonly pictures?: PictureChoice | undefined;
  /** Called after the first paint: the code that runs Python loads while the person types. */
  openRuntime(): Promise<Runtime>;
  savePicture(part: ImagePart): Promise<string | null>;
  /** Aborting leaves the console without asking. */
  readonly signal?: AbortSignal | undefined;
  readonly stopProcess?: (() => void) | undefined;
}

/** Shows the console until the person leaves, and then ends everything that it started. */
export async function startConsole(options: StartConsoleOptions): Promise<void> {
  const { device, env, cwd, home, signal, stopProcess } = options;
  const runtime = afterFirstPaint(() => options.openRuntime());
  const { session = "main", timeoutMs = Number.POSITIVE_INFINITY, kept } = options;
  const look = terminalLook(env);
  const terminal = (): ReadersTerminal => readersTerminal(device, look);
  const workbench = runtime.then(async (runtime) => {
    const { environmentName } = await import("../../python/environment-name.ts");
    return new Workbench(runtime, { session, timeoutMs, terminal, environmentName, kept });
  });
  const openScreenOf = (view: Console): Screen => openScreen(view, { device, stopProcess });
  const console = new Console({
    env,
    cwd,
    look,
    pictures: options.pictures,
    history: {
      read: async () => (await historyFile(home)).read(),
      add: async (entry) => (await historyFile(home)).add(entry),
    },
    workbench,
    joins: kept?.joins,
    savePicture: options.savePicture,
    openNotebook: async (path, { session, runtime }) => {
      const { openNotebook } = await import("./notebook/open-notebook.ts");
      const { maxCellMegabytes } = runtime.settings.notebook;
      const pictures = options.pictures ?? runtime.settings.console.pictures;
      console.letGoOfScreen();
      try {
        await openNotebook({
          path,
          session,
          maxCellMegabytes,
          env,
          device,
          stopProcess,
          pictures,
          signal,
        });
      } finally {
        console.showOn(openScreenOf(console));
      }
    },
  });
  const screen = openScreenOf(console);
  console.showOn(screen);
  const knowsBackground = env.COLORFGBG !== undefined || env.NO_COLOR;
  if (!knowsBackground) screen.write(askForBackground);
  const leave = (): void => console.gone();
  signal?.addEventListener("abort", leave, { once: true });
  try {
    await console.left;
  } finally {
    signal?.removeEventListener("abort", leave);
    console.letGoOfScreen();
    console.end();
    await console.saved;
    await workbench.then(
      (workbench) => workbench.close(),
      () => {},
    );
  }
}

/** Output has a margin. */
function readersTerminal({ columns }: TerminalDevice, { colors }: ThemeOptions): ReadersTerminal {
  return { columns: Math.max(20, columns) - gutterWidth, colors: colors === "true" ? 2 ** 24 : colors };
}

/** Loads the history when it is first needed. */
async function historyFile(home: string): Promise<HistoryFile> {
  const { HistoryFile } = await import("./history/history-file.ts");
  return new HistoryFile(home);
}

/** Runs work after the first paint. */
async function afterFirstPaint<T>(work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setImmediate(resolve));
  return work();
}
