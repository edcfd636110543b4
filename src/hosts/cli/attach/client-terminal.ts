import type { IncomingCall } from "../../../hub/wire/peer.ts";

type TerminalDevice = import("../../tui/terminal-device.ts").TerminalDevice;
type TerminalListener = import("../../tui/terminal-device.ts").TerminalListener;

export interface SentSize {
  readonly columns: number;
  readonly rows: number;
}

/** A request of the console in the hub to the client's terminal; the text to write is the body. */
export interface SentToTerminal {
  readonly do: "open" | "write" | "close" | "useKeyboardProtocol" | "suspend";
}

/** In the hub: the terminal of a client. */
export class ClientTerminal implements TerminalDevice {
  readonly #call: Pick<IncomingCall, "tell">;
  #size: SentSize;
  #listener: TerminalListener | null = null;
  #resumed: (() => void) | null = null;
  #caughtUp: Promise<void> | null = null;

  constructor(call: Pick<IncomingCall, "tell">, size: SentSize) {
    this.#call = call;
    this.#size = size;
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  write(text: string): void {
    this.#send("write", text);
  }

  open(listener: TerminalListener): void {
    this.#listener = listener;
    this.#send("open");
  }

  close(): void {
    this.#listener = null;
    this.#send("close");
  }

  useKeyboardProtocol(): void {
    this.#send("useKeyboardProtocol");
  }

  caughtUp(): Promise<void> | null {
    return this.#caughtUp;
  }

  suspend(resumed: () => void): void {
    this.#resumed = resumed;
    this.#send("suspend");
  }

  /** The client reports. */
  input(text: string): void {
    this.#listener?.input(text);
  }

  resize(size: SentSize): void {
    this.#size = size;
    this.#listener?.resized();
  }

  gone(): void {
    this.#listener?.gone();
  }

  resumed(size: SentSize): void {
    this.#size = size;
    this.#resumed?.();
    this.#resumed = null;
  }

  #send(what: SentToTerminal["do"], text?: string): void {
    const sent: SentToTerminal = { do: what };
    const wait = this.#call.tell(sent, text);
    if (wait === undefined) return;
    this.#caughtUp = wait.then(() => {
      this.#caughtUp = null;
    });
  }
}
