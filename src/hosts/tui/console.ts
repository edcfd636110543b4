import { resolve } from "node:path";
import type { ImagePart } from "../../output/display/display-part.ts";
import { expandHome } from "../../settings/granary-home.ts";
import { deferred } from "../../support/deferred.ts";
import type { PictureChoice } from "../../view/pictures/picture-protocol.ts";
import { answeredBackground } from "../../view/theme/terminal-look.ts";
import { type Theme, type ThemeOptions, themeFor } from "../../view/theme/theme.ts";
import type { Look } from "./blocks/block.ts";
import { History } from "./history/history.ts";
import type { HistoryFile } from "./history/history-file.ts";
import { InlinePictures } from "./inline-pictures.ts";
import type { Key } from "./keys.ts";
import { Leaving } from "./leaving.ts";
import { Operator } from "./operator.ts";
import type { Suggestions } from "./prompt/completion-menu.ts";
import { Prompt } from "./prompt/prompt.ts";
import { QuestionQueue } from "./questions.ts";
import { cursor, type Screen, type TerminalSize, type View } from "./screen.ts";
import { type ConsoleState, statusLine } from "./status-line.ts";
import { Transcript } from "./transcript.ts";
import { RunningWork } from "./work.ts";
import type { Workbench } from "./workbench.ts";

export interface ConsoleOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly look: ThemeOptions;
  readonly pictures?: PictureChoice | undefined;
  readonly history: Pick<HistoryFile, "read" | "add">;
  /** Settles when Granary is loaded; a person can type before that. */
  readonly workbench: Promise<Workbench>;
  /** The session that runs already, shown until Granary is loaded. */
  readonly joins?: ConsoleState["session"] | undefined;
  savePicture(part: ImagePart): Promise<string | null>;
  /** Gives the terminal to a notebook view until the person leaves it. */
  openNotebook(path: string, workbench: Workbench): Promise<void>;
}

/** The editor, the status line and the space between them. */
const reservedRows = 6;

/** The console: a transcript with the prompt below it. */
export class Console implements View {
  readonly #options: ConsoleOptions;
  readonly #transcript = new Transcript();
  readonly #work = new RunningWork(() => this.#repaint());
  readonly #questions = new QuestionQueue(() => this.#repaint());
  readonly #prompt: Prompt;
  readonly #history: History;
  readonly #pictures: InlinePictures;
  readonly #left = deferred<void>();
  readonly #leaving = new Leaving({
    isBusy: () => !this.#work.isEmpty && this.#workbench?.isKept !== true,
    held: async () => (await this.#workbench?.held()) ?? 0,
    leave: () => this.#left.resolve(),
    onChange: () => this.#repaint(),
  });
  /** Rejects when Granary could not be loaded; `left` has the reason. */
  readonly #operator: Promise<Operator>;
  #workbench: Workbench | null = null;
  #screen: Screen | null = null;
  #theme: Theme;
  #background: ThemeOptions["background"];
  #isExpanded = false;
  #isClearing = false;
  #lastingLines = 0;
  /** A message for the person, until the next key. */
  #hint: string | null = null;

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#background = options.look.background;
    this.#theme = themeFor(options.look);
    this.#history = new History(options.history);
    this.#pictures = new InlinePictures({
      env: options.env,
      choice: options.pictures,
      setting: async () => (await options.workbench).runtime.settings.console.pictures,
      look: options.look,
      savePicture: options.savePicture,
      write: (text) => this.#screen?.write(text),
      onChange: () => this.#repaint(),
    });
    this.#prompt = new Prompt({
      history: this.#history,
      // Without colours, a suggestion would look like typed text.
      suggests: () => options.look.colors !== 0 && this.#workbench?.runtime.settings.console.suggestions === true,
      environment: () => this.#workbench?.environment ?? "",
      complete: (text, at, signal) => this.#complete(text, at, signal),
      describe: async (text, at, signal) => (await options.workbench).describe(text, at, signal),
      onChange: () => this.#repaint(),
      submit: (text) => void this.#operator.then((operator) => operator.perform(text)).catch(() => {}),
    });
    this.#operator = options.workbench.then((workbench) => this.#begin(workbench));
    this.#operator.catch((error) => this.#left.reject(error));
  }

  /** Settles when the person leaves. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  /** Settles when the input is in the history file. */
  get saved(): Promise<void> {
    return this.#history.saved;
  }

  /** The person has left: open questions fail, and shell commands end. */
  end(): void {
    this.#questions.close();
    this.#work.endCommands();
  }

  showOn(screen: Screen): void {
    this.#screen = screen;
    screen.repaint();
  }

  /** The current screen stays, and the next one begins below it. */
  letGoOfScreen(): void {
    this.#screen?.close();
    this.#screen = null;
    this.#transcript.forgetAll();
  }

  render(size: TerminalSize): readonly string[] {
    const { columns: width, rows } = size;
    const look = this.#look(size);
    const typing = this.#typing(width, Math.max(3, Math.floor(rows / 2)));
    const below = [...typing, statusLine(this.#state(), width, this.#theme)];
    if (this.#isClearing) this.#transcript.forgetWhatScrolledAway(look, rows - below.length);
    this.#isClearing = false;
    const above = this.#transcript.render(look);
    this.#lastingLines = above.length;
    return [...above, ...below];
  }

  /** The transcript without the prompt. */
  get lastingLines(): number {
    return this.#lastingLines;
  }

  beforeClearing(): void {
    this.#isClearing = true;
  }

  reply(sequence: string): void {
    if (this.#pictures.hears(sequence)) return;
    const background = answeredBackground(sequence);
    if (background === null || background === this.#background) return;
    this.#background = background;
    this.#theme = themeFor({ ...this.#options.look, background });
    this.#repaint();
  }

  /** The window was closed, so the console cannot ask the person. */
  gone(): void {
    this.#left.resolve();
  }

  press(key: Key): void {
    this.#hint = null;
    const isCtrlC = key.type === "key" && key.name === "ctrl+c";
    if (!isCtrlC) this.#leaving.forgetCtrlC();
    const isAnswer = this.#leaving.question !== null && this.#leaving.answer(key);
    if (!isAnswer && (key.type !== "key" || !this.#pressEverywhere(key.name))) {
      (this.#questions.current ?? this.#prompt).press(key);
    }
    this.#repaint();
  }

  /** Handles keys that mean the same in every state; false for all others. */
  #pressEverywhere(name: string): boolean {
    switch (name) {
      case "ctrl+c":
        this.#ctrlC();
        return true;
      case "ctrl+d":
        if (!this.#prompt.isEmpty || this.#questions.current !== null) return false;
        this.#leaving.ctrlD();
        return true;
      case "ctrl+o":
        this.#isExpanded = !this.#isExpanded;
        this.#isClearing = true;
        return true;
      case "ctrl+l":
        this.#screen?.scrollAway();
        this.#transcript.clear();
        return true;
      case "ctrl+z":
        this.#screen?.suspend();
        return true;
      default:
        return false;
    }
  }

  #ctrlC(): void {
    const stops = this.#work.foreground.length > 0;
    if (this.#leaving.isSecondCtrlC({ stops })) return;
    if (stops) this.#work.interrupt();
    else if (!this.#prompt.isEmpty) this.#prompt.clear();
    else
      this.#hint = `ctrl+c again, or ctrl+d, leaves the console${this.#work.ofOther === null ? "" : "; /interrupt stops the cell"}`;
  }

  #begin(workbench: Workbench): Operator {
    const { env, cwd, openNotebook } = this.#options;
    this.#workbench = workbench;
    return new Operator(workbench, {
      transcript: this.#transcript,
      work: this.#work,
      questions: this.#questions,
      onChange: () => this.#repaint(),
      pathOf: (name) => resolve(cwd, expandHome(name, env)),
      openNotebook,
      leave: () => this.#leaving.ctrlD(),
    });
  }

  async #complete(text: string, at: number, signal: AbortSignal): Promise<Suggestions> {
    if (text.startsWith("/")) {
      const { commandNames } = await import("./commands/commands.ts");
      return { matches: commandNames.filter((name) => name.startsWith(text.slice(0, at))), start: 0, end: at };
    }
    const workbench = await this.#options.workbench;
    if (workbench.session.shared.isBusy) this.#hint = "completes when Python is no longer busy…";
    this.#repaint();
    const suggestions = await workbench.complete(text, at, signal);
    this.#hint = null;
    return suggestions;
  }

  #typing(width: number, maxRows: number): readonly string[] {
    const theme = this.#theme;
    if (this.#leaving.question !== null) return [`${theme.warning(this.#leaving.question)} ${cursor}`];
    return this.#questions.current?.render(width, theme) ?? this.#prompt.render({ width, maxRows, theme });
  }

  #state(): ConsoleState {
    const session = this.#workbench?.session.shared ?? this.#options.joins ?? null;
    const asked = this.#workbench?.runtime.settings.python.sandbox ?? "off";
    return {
      session,
      // The engine is known when Python has started.
      sandbox: session?.info?.sandbox ?? (asked === "off" ? null : asked),
      runsSince: this.#work.since,
      inBackground: this.#work.inBackground,
      ofOther: this.#work.ofOther,
      hint: this.#hint,
      now: Date.now(),
    };
  }

  #look(size: TerminalSize): Look {
    const liveRows = Math.max(2, size.rows - reservedRows);
    const { pictureRows = 0 } = this.#workbench?.runtime.settings.console ?? {};
    return {
      width: Math.max(20, size.columns),
      liveRows,
      expanded: this.#isExpanded,
      theme: this.#theme,
      pictures: (part, columns) => this.#pictures.lines(part, columns, pictureRows, this.#theme, size),
      asOf: `${this.#pictures.version} ${this.#background}`,
    };
  }

  #repaint(): void {
    this.#screen?.repaint();
  }
}
