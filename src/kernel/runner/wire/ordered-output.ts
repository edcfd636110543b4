import { StringDecoder } from "node:string_decoder";
import type { StreamName } from "../../events.ts";
import type { Frame } from "./frames.ts";
import { type Mark, MarkScanner } from "./mark-scanner.ts";

interface Listener {
  onText(name: StreamName, text: string): void;
  onFrame(frame: Frame): void;
  /** A pipe has reached a mark and must not be read on (true), or may be read again (false). */
  onHeld(name: StreamName, held: boolean): void;
}

/** One byte pipe on its way into the common order. */
class Lane {
  readonly name: StreamName;
  readonly scanner: MarkScanner;
  readonly decoder = new StringDecoder("utf8");
  /** The newest mark before which everything has been handed on. */
  reached = 0;
  /** The newest mark it has met. */
  newest: Mark = { number: 0, frames: 0 };
  /** The mark it waits at. */
  stop: Mark | undefined;
  /** The bytes after that mark. */
  held: (Buffer | Mark)[] = [];

  constructor(name: StreamName, mark: string) {
    this.name = name;
    this.scanner = new MarkScanner(mark);
  }
}

/** Puts printed bytes and frames back into the order in which they happened. */
export class OrderedOutput {
  readonly #listener: Listener;
  readonly #stdout: Lane;
  readonly #stderr: Lane;
  #frames: Frame[] = [];
  #framesHandedOn = 0;

  constructor(mark: string, listener: Listener) {
    this.#listener = listener;
    this.#stdout = new Lane("stdout", mark);
    this.#stderr = new Lane("stderr", mark);
  }

  bytes(name: StreamName, chunk: Buffer): void {
    const lane = name === "stdout" ? this.#stdout : this.#stderr;
    const wasHeld = lane.stop !== undefined;
    lane.scanner.scan(
      chunk,
      (bytes) => {
        // The reader uses its buffer again, so what is kept must be copied.
        if (lane.stop) lane.held.push(Buffer.from(bytes));
        else this.#text(lane, bytes);
      },
      (mark) => {
        lane.newest = mark;
        if (lane.stop) lane.held.push(mark);
        else this.#stopAt(lane, mark);
      },
    );
    if (lane.stop && !wasHeld) this.#listener.onHeld(name, true);
  }

  frame(frame: Frame): void {
    const nothingWaits = this.#frames.length === 0 && !this.#stdout.stop && !this.#stderr.stop;
    if (nothingWaits && frame.after === undefined) {
      this.#framesHandedOn++;
      this.#listener.onFrame(frame);
      return;
    }
    this.#frames.push(frame);
    this.#proceed();
  }

  /** The kernel has ended: passes on the rest, bytes first, since no mark will come. */
  end(): void {
    for (const lane of [this.#stdout, this.#stderr]) {
      lane.stop = undefined;
      lane.newest = { number: 0, frames: 0 };
      for (const piece of lane.held.splice(0)) if (Buffer.isBuffer(piece)) this.#text(lane, piece);
    }
    this.cellEnded();
    for (const frame of this.#frames.splice(0)) this.#listener.onFrame(frame);
  }

  /** Bytes that never became a mark or a whole character are shown as they are. */
  cellEnded(): void {
    for (const lane of [this.#stdout, this.#stderr]) {
      // Behind a mark that stands after `done`, it is not the cell's, and may become another mark.
      const behindTheEnd = lane.newest.number > 0 && lane.newest.frames >= this.#framesHandedOn;
      const rest = behindTheEnd ? undefined : lane.scanner.rest();
      if (rest) this.#text(lane, rest);
      const text = lane.decoder.end();
      if (text !== "") this.#listener.onText(lane.name, text);
    }
  }

  #text(lane: Lane, bytes: Buffer): void {
    const text = lane.decoder.write(bytes);
    if (text !== "") this.#listener.onText(lane.name, text);
  }

  #stopAt(lane: Lane, mark: Mark): void {
    lane.stop = mark;
    lane.reached = mark.number;
    this.#proceed();
  }

  #proceed(): void {
    while (this.#handOnFrames() || this.#release(this.#stdout) || this.#release(this.#stderr));
  }

  #handOnFrames(): boolean {
    const reached = Math.min(this.#stdout.reached, this.#stderr.reached);
    let handedOn = 0;
    while (handedOn < this.#frames.length && (this.#frames[handedOn]?.after ?? 0) <= reached) {
      // Counted first: what a frame sets off may come back here.
      this.#framesHandedOn++;
      this.#listener.onFrame(this.#frames[handedOn++] as Frame);
    }
    if (handedOn > 0) this.#frames.splice(0, handedOn);
    return handedOn > 0;
  }

  #release(lane: Lane): boolean {
    const stop = lane.stop;
    const other = lane === this.#stdout ? this.#stderr : this.#stdout;
    if (!stop || other.reached < stop.number || this.#framesHandedOn < stop.frames) return false;
    lane.stop = undefined;
    while (lane.held.length > 0 && !lane.stop) {
      const piece = lane.held.shift() as Buffer | Mark;
      if (Buffer.isBuffer(piece)) this.#text(lane, piece);
      else {
        lane.stop = piece;
        lane.reached = piece.number;
      }
    }
    if (!lane.stop) this.#listener.onHeld(lane.name, false);
    return true;
  }
}
