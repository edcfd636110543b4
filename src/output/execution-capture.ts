import type { KernelEvent } from "../kernel/events.ts";
import type { ArtifactWriter, OpenArtifact } from "./artifact.ts";
import { artifactAddress } from "./artifacts/artifact-id.ts";
import type { ArtifactStore } from "./artifacts/artifact-store.ts";
import type {
  Capture,
  Captured,
  CapturedDisplay,
  CaptureOptions,
  Live,
  OutputTruncation,
  Rendered,
} from "./capture.ts";
import type { SinkDump } from "./captured-text.ts";
import { EventRenderer, type RaisedEvent, type ShownEvent } from "./display/render-event.ts";
import { displaysIn, type OutputPart } from "./output-part.ts";
import { ErrorMark, NoteMark, outputParts, ShownDisplays } from "./shown-displays.ts";
import { Sink } from "./sink.ts";
import type { ReportedException } from "./traceback/traceback.ts";

/** Listeners get the output of this time in one call. */
const liveDelayMs = 50;

/** Keeps the output of one execution within a budget, and tells listeners about it. */
export class ExecutionCapture implements Capture {
  readonly #renderer: EventRenderer;
  readonly #sink: Sink;
  readonly #listeners = new Set<(event: Live) => void>();
  readonly #displays = new ShownDisplays();
  #exceptions: readonly ReportedException[] = [];
  #clearsBeforeNext = false;
  #artifact: string | null = null;
  #tellListeners: (() => void) | null = null;

  constructor(options: CaptureOptions = {}) {
    const { budget = {}, foldsLines, artifacts, keepsText = true } = options;
    this.#renderer = new EventRenderer(options);
    const openArtifact: OpenArtifact | undefined =
      artifacts && keepsText ? () => this.#openArtifact(artifacts) : undefined;
    const later = (task: () => void): (() => void) => this.#tellLater(task);
    this.#sink = new Sink({ budget, foldsLines, later, ...(openArtifact && { openArtifact }) });
  }

  take(event: KernelEvent): Promise<Rendered | undefined> | undefined {
    switch (event.type) {
      case "stream":
        this.#clearIfWaiting();
        return this.#sink.write(event.text, event.name) as Promise<undefined> | undefined;
      case "display":
        return this.#show(event, event.displayId ?? null, event.update);
      case "result":
        return this.#show(event, null, false);
      case "clear":
        this.#clear(event.wait);
        return undefined;
      case "error":
        return this.#showError(event);
      default:
        return undefined;
    }
  }

  note(sentence: string): void | Promise<void> {
    return this.#sink.writeBlock(sentence, { mark: new NoteMark(), isOwn: true });
  }

  listen(listener: (event: Live) => void): () => void {
    const stop = this.#sink.listen(listener);
    this.#listeners.add(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  }

  tellNow(): void {
    this.#tellListeners?.();
  }

  get artifact(): string | null {
    return this.#artifact;
  }

  tail(bytes: number): string {
    return this.#sink.tail(bytes);
  }

  get parts(): readonly OutputPart[] {
    return outputParts(this.#sink.pieces);
  }

  get hasDisplays(): boolean {
    return !this.#displays.isEmpty;
  }

  async finish(): Promise<Captured> {
    const dump = await this.#sink.dump();
    const { parts } = this;
    return {
      parts,
      output: dump.text,
      displays: displaysIn(parts),
      exceptions: this.#exceptions,
      totalLines: dump.totalLines,
      totalBytes: dump.totalBytes,
      truncation: truncationOf(dump),
    };
  }

  #openArtifact(artifacts: Pick<ArtifactStore, "open">): ArtifactWriter {
    const writer = artifacts.open("txt");
    this.#artifact = artifactAddress(writer.id);
    return writer;
  }

  async #show(event: ShownEvent, displayId: string | null, update: boolean): Promise<Rendered> {
    const shown = await this.#renderer.display(event, displayId, this.#displays.pictures);
    const { text, parts } = shown.display;
    this.#clearIfWaiting();
    if (update && displayId !== null) {
      this.#displays.update(shown);
      this.#sink.update(displayId, text, () => this.#displays.move(displayId));
    } else {
      // Status events have no lines of their own, and must not interrupt a progress bar.
      const endsLine = parts.some(({ type }) => type === "image" || type === "json");
      await this.#sink.writeBlock(text, { slot: displayId, mark: this.#displays.add(shown), endsLine });
    }
    if (parts.length > 0 || shown.display.look !== undefined) this.#tellOf(shown.display, update);
    return { text, shown };
  }

  /** Text that was printed before it comes before it. */
  #tellOf(display: CapturedDisplay, update: boolean): void {
    this.tellNow();
    for (const listener of this.#listeners) listener({ type: "display", display, update });
  }

  #tellLater(task: () => void): () => void {
    this.#tellListeners = task;
    const timer = setTimeout(task, liveDelayMs).unref();
    return () => {
      this.#tellListeners = null;
      clearTimeout(timer);
    };
  }

  async #showError(event: RaisedEvent): Promise<Rendered> {
    const { text, exceptions } = await this.#renderer.error(event);
    this.#clearIfWaiting();
    this.#exceptions = exceptions;
    await this.#sink.writeBlock(text, { mark: new ErrorMark(event.name), isError: true });
    return { text, shown: null };
  }

  #clear(wait: boolean): void {
    this.#sink.clear({ wait });
    this.#clearsBeforeNext = wait;
    if (!wait) this.#displays.clear();
  }

  #clearIfWaiting(): void {
    if (!this.#clearsBeforeNext) return;
    this.#clearsBeforeNext = false;
    this.#displays.clear();
  }
}

function truncationOf(dump: SinkDump): OutputTruncation | null {
  const { text: _, truncated, artifact, artifactProblem, ...counts } = dump;
  if (!truncated) return null;
  return { ...counts, artifact: artifact && artifactAddress(artifact.id), problem: artifactProblem };
}
