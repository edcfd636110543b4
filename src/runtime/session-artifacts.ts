import type { ReadersTerminal } from "../kernel/kernel.ts";
import { type ArtifactStore, artifactRoot, openArtifactStore } from "../output/artifacts/artifact-store.ts";
import { ExecutionCapture } from "../output/execution-capture.ts";
import type { RuntimeContext, RuntimeOptions } from "./runtime-options.ts";

/** The artifacts of sessions: output that is too long for a result. */
export class SessionArtifacts {
  readonly #options: Pick<RuntimeOptions, "artifactsFolder" | "textArtifacts" | "placePictures">;
  readonly #context: RuntimeContext;
  readonly #stores = new Map<string, ArtifactStore>();
  /** Sessions of other processes may have the same names, so a name does not identify the owner of an artifact. */
  readonly #made = new Set<string>();

  constructor(
    options: Pick<RuntimeOptions, "artifactsFolder" | "textArtifacts" | "placePictures">,
    context: RuntimeContext,
  ) {
    this.#options = options;
    this.#context = context;
  }

  /** Where they are looked up. */
  get root(): string {
    return this.#options.artifactsFolder ?? artifactRoot(this.#context.home);
  }

  /** The ids of those that were made here. */
  get made(): ReadonlySet<string> {
    return this.#made;
  }

  of(session: string): ArtifactStore {
    const existing = this.#stores.get(session);
    if (existing !== undefined) return existing;
    const { maxMegabytes, keepDays } = this.#context.settings.values.artifacts;
    const store = openArtifactStore({
      root: artifactRoot(this.#context.home),
      folder: this.#options.artifactsFolder,
      session,
      maxBytes: maxMegabytes * 1_000_000,
      keepDays,
      onNew: (id) => this.#made.add(id),
    });
    this.#stores.set(session, store);
    return store;
  }

  capture(session: string, terminal?: ReadersTerminal, mostBytes = Number.POSITIVE_INFINITY): ExecutionCapture {
    const { budgetBytes, headBytes, maxLines, maxLineBytes, foldLines } = this.#context.settings.values.output;
    const bytes = Math.min(budgetBytes, mostBytes);
    return new ExecutionCapture({
      budget: {
        bytes,
        headBytes: Math.min(headBytes, Math.floor((bytes * headBytes) / budgetBytes)),
        lines: maxLines,
        lineBytes: maxLineBytes,
      },
      // A person at a terminal scrolls.
      foldsLines: foldLines && terminal === undefined,
      artifacts: this.of(session),
      keepsText: this.#options.textArtifacts,
      placePictures: this.#options.placePictures,
      terminal,
    });
  }
}
