import { dirname } from "node:path";
import type { Session } from "../../../session/session.ts";
import { deferred } from "../../../support/deferred.ts";
import { watchFile } from "../../../support/files/watch-file.ts";
import { askForSixel, type PictureChoice } from "../../../view/pictures/picture-protocol.ts";
import { answeredBackground, askForBackground, terminalLook } from "../../../view/theme/terminal-look.ts";
import { themeFor } from "../../../view/theme/theme.ts";
import { openScreen, type Screen, type ScreenOptions } from "../screen.ts";
import { CellRuns } from "./cell-runs.ts";
import { chosenEditor } from "./document/external-editor.ts";
import { OpenDocument } from "./document/open-document.ts";
import { KernelMemory } from "./kernel-memory.ts";
import { NotebookEditor } from "./notebook-editor.ts";
import { NotebookView } from "./notebook-view.ts";
import { CellPainter } from "./paint/cell-painter.ts";
import { NotebookPictures } from "./paint/notebook-pictures.ts";
import { OutputPieces } from "./paint/output-pieces.ts";

export interface OpenNotebookOptions {
  readonly path: string;
  /** The session for its cells. Nothing starts before the first cell. */
  readonly session: Session;
  readonly maxCellMegabytes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly device: ScreenOptions["device"];
  readonly stopProcess?: ScreenOptions["stopProcess"];
  readonly pictures?: PictureChoice | undefined;
  /** Aborting leaves as if the terminal had closed: unsaved changes are saved first. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens a notebook in full screen to read, edit and run; settles when the person leaves. */
export async function openNotebook(options: OpenNotebookOptions): Promise<void> {
  const { path, session, signal } = options;
  const document = await OpenDocument.open(path, signal, await session.saveRoots([path]));
  const sitting = new Sitting(document, options);
  try {
    await sitting.left;
  } finally {
    await sitting.end();
  }
}

/** Cells that end within this time share one save. */
const betweenSavesMs = 1000;

/** An open notebook: the view, the runs, and all sources of messages. */
class Sitting {
  readonly #options: OpenNotebookOptions;
  readonly #document: OpenDocument;
  readonly #left = deferred<void>();
  readonly #runs: CellRuns;
  readonly #editor: NotebookEditor;
  readonly #pictures: NotebookPictures;
  readonly #painter: CellPainter;
  readonly #memory: KernelMemory;
  readonly #view: NotebookView;
  readonly #watched: Disposable;
  readonly #stopListening: readonly (() => void)[];
  #screen: Screen;
  #lastSaved = Number.NEGATIVE_INFINITY;

  constructor(document: OpenDocument, options: OpenNotebookOptions) {
    const { session, env, signal } = options;
    const look = terminalLook(env);
    this.#options = options;
    this.#document = document;
    this.#pictures = new NotebookPictures({ env, choice: options.pictures, look, onReady: () => this.#repaintAll() });
    this.#memory = new KernelMemory(session.shared, () => this.#repaint());
    this.#runs = new CellRuns(session, document, {
      maxCellMegabytes: options.maxCellMegabytes,
      answer: (prompt, password, stopped) => this.#editor.questions.ask(prompt, password, stopped, () => {}),
      onChange: () => {
        this.#memory.tickWhile(this.#runs.isBusy);
        this.#repaint();
      },
      onCellEnd: (isLast) => this.#cellEnded(isLast),
      tell: (sentence) => this.#editor.tell(sentence, { isBad: true }),
    });
    this.#editor = new NotebookEditor(document, this.#runs, {
      editor: chosenEditor(env, dirname(document.path)),
      onChange: () => this.#repaint(),
      lend: (work) => this.#lend(work),
      suspend: () => this.#screen.suspend(),
      leave: () => this.#left.resolve(),
    });
    this.#painter = new CellPainter(this.#editor, new OutputPieces(() => this.#repaintAll()), this.#pictures);
    this.#view = new NotebookView(themeFor(look), {
      editor: this.#editor,
      painter: this.#painter,
      memory: this.#memory,
      session: session.shared,
      measured: (cellPixels) => this.#pictures.measured(cellPixels),
      reply: (sequence) => this.#hear(sequence),
      gone: () => void this.#saveAndLeave(),
    });
    this.#watched = watchFile(document.path, () => void this.#editor.refresh());
    const stopWatching = session.watch(() => void this.#memory.look());
    const onAbort = (): void => void this.#saveAndLeave();
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#stopListening = [stopWatching, () => signal?.removeEventListener("abort", onAbort)];
    this.#screen = this.#openScreen();
    const { upgradedFrom } = document.notebook;
    if (upgradedFrom !== undefined)
      this.#editor.tell(`In nbformat ${upgradedFrom}: a save upgrades it to nbformat 4.5.`);
    const knowsBackground = env.COLORFGBG !== undefined || env.NO_COLOR;
    this.#screen.write((knowsBackground ? "" : askForBackground) + (this.#pictures.mayBeMore ? askForSixel : ""));
  }

  /** Settles when the person leaves. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  async end(): Promise<void> {
    await this.#runs.close();
    await this.#document.settled();
    this.#memory[Symbol.dispose]();
    this.#watched[Symbol.dispose]();
    for (const stop of this.#stopListening) stop();
    this.#screen.close();
  }

  #openScreen(): Screen {
    const { device, stopProcess } = this.#options;
    return openScreen(this.#view, { device, stopProcess, fullScreen: true });
  }

  #repaint(): void {
    this.#screen?.repaint();
  }

  #repaintAll(): void {
    this.#painter?.repaintAll();
    this.#repaint();
  }

  /** Lends the terminal to another program until that is done. */
  async #lend<T>(work: () => Promise<T>): Promise<T> {
    this.#screen.close();
    try {
      return await work();
    } finally {
      this.#screen = this.#openScreen();
    }
  }

  #cellEnded(isLast: boolean): void {
    void this.#memory.look();
    if (!isLast && performance.now() - this.#lastSaved < betweenSavesMs) return;
    this.#lastSaved = performance.now();
    void this.#document.save().then(
      () => this.#repaint(),
      (error) => this.#editor.tellNotSaved(error as Error),
    );
  }

  #hear(reply: string): void {
    this.#pictures.hear(reply);
    const background = answeredBackground(reply);
    if (background === null) return;
    this.#view.theme = themeFor({ ...terminalLook(this.#options.env), background });
    this.#pictures.seenOn(background);
  }

  /** The terminal is gone, so the view cannot ask. */
  async #saveAndLeave(): Promise<void> {
    this.#editor.finishEdit();
    await this.#runs.stop();
    if (this.#document.hasUnsaved) await this.#document.save().catch(() => {});
    this.#left.resolve();
  }
}
