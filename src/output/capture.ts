import type { KernelEvent, MimeBundle } from "../kernel/events.ts";
import type { ArtifactStore } from "./artifacts/artifact-store.ts";
import type { DisplayPart, KeptPart } from "./display/display-part.ts";
import type { LiveEvent } from "./live-feed.ts";
import type { OutputPart, ShownDisplay } from "./output-part.ts";
import type { OutputBudget } from "./text/head-tail-buffer.ts";
import type { Truncation } from "./text/truncation.ts";
import type { ReportedException } from "./traceback/traceback.ts";

/** The captured output of an execution. */
export interface Captured {
  /** Printed text, displays and exceptions, in order; with updates applied, and cleared output removed. */
  readonly parts: readonly OutputPart[];
  /** The text of all parts, within the budget. */
  readonly output: string;
  /** The parts that are pictures, values and status events. */
  readonly displays: readonly CapturedDisplay[];
  /** The exceptions, frame by frame, in the order they were raised; includes frames that the text folds. */
  readonly exceptions: readonly ReportedException[];
  /** Size of the whole text, also of the part that `output` leaves out. */
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Null when all of the text is in `output`. */
  readonly truncation: OutputTruncation | null;
}

export interface CapturedDisplay {
  readonly displayId: string | null;
  readonly text: string;
  readonly parts: readonly ShownPart[];
  /** @internal How to show the text on a terminal; only in a capture for one. */
  readonly look?: TextLook;
}

export interface TextLook {
  /** `value`: as Python writes it. `page`: to be read from its beginning, as the answer to `obj?` is. `error`: a traceback. */
  readonly kind: "value" | "page" | "text" | "error";
  /** The text with the colours that it came in, if it came in any. */
  readonly coloured: string | null;
}

/** Kept content has an address; null when it could not be kept. */
export type ShownPart =
  | Exclude<DisplayPart, KeptPart>
  | (Omit<KeptPart, "content"> & { readonly address: string | null });

export interface OutputTruncation extends Truncation {
  /** The artifact of the whole output: `artifact://<id>`; null when it could not be kept. */
  readonly artifact: string | null;
  /** Why it could not be kept, or not to its end. */
  readonly problem: string | null;
}

/** The events for a listener. */
export type Live =
  | LiveEvent
  | { readonly type: "display"; readonly display: CapturedDisplay; readonly update: boolean };

export interface CaptureOptions {
  readonly budget?: Partial<OutputBudget> | undefined;
  /** Whether long runs of printed lines that differ only in their numbers become one line; for models. */
  readonly foldsLines?: boolean | undefined;
  /** Without it, text beyond the budget is lost. */
  readonly artifacts?: Pick<ArtifactStore, "open" | "save"> | undefined;
  /** Whether text beyond the budget is kept as an artifact; true by default. */
  readonly keepsText?: boolean | undefined;
  /** For hosts that cannot attach pictures: saves those of a bundle, and returns a text that says where; null without pictures. */
  readonly placePictures?: ((data: MimeBundle) => Promise<string | null>) | undefined;
  /** The screen of a human reader. Without one, the text is for a model: containers on one line, and no colours. */
  readonly terminal?: { readonly colors: number } | undefined;
}

/** The rendering of an event, for the result and for live output. */
export interface Rendered {
  /** On lines of its own, without the end of the last. */
  readonly text: string;
  /** Null for an error. */
  readonly shown: ShownDisplay | null;
}

/** Takes the events of one execution and makes text, pictures and values of them. */
export interface Capture {
  /** A promise asks the caller to wait before the next event. It has the rendering of a display or an error. */
  take(event: KernelEvent): Promise<Rendered | undefined> | undefined;
  /** Puts a sentence of Granary on a line of its own. */
  note(sentence: string): void | Promise<void>;
  listen(listener: (event: Live) => void): () => void;
  /** Delivers pending output to the listeners now. */
  tellNow(): void;
  /** The artifact of the whole text, from the moment that some of it is left out. */
  readonly artifact: string | null;
  /** The last of the text so far, for a glance at work in progress. */
  tail(bytes: number): string;
  /** The output so far, as the result would have it. */
  readonly parts: readonly OutputPart[];
  readonly hasDisplays: boolean;
  finish(): Promise<Captured>;
}

export const nothingCaptured: Captured = {
  parts: [],
  output: "",
  displays: [],
  exceptions: [],
  totalLines: 0,
  totalBytes: 0,
  truncation: null,
};

/** Keeps nothing: for callers that use the events alone. */
export const noCapture: Capture = {
  take: () => undefined,
  note: () => {},
  listen: () => () => {},
  tellNow: () => {},
  artifact: null,
  tail: () => "",
  parts: [],
  hasDisplays: false,
  finish: async () => nothingCaptured,
};
