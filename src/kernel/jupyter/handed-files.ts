import { constants, rmSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeOwnedFolder } from "../../support/files/owned-folder.ts";
import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import type { LargeContent } from "../events.ts";
import type { JupyterMessage } from "./messages/message.ts";

/** The member of a content that names files (`large-rules.ts`): each by its MIME type, for an exception the `traceback`. */
export const filesMember = "granary_files";

/** Our folder, in which a kernel on this machine puts values that are too large for a message. */
export class HandedFiles {
  readonly folder: string;
  /** Its device and its number: the kernel of another machine or container may have another folder of that name. */
  readonly identity: readonly [device: string, inode: string];
  readonly #open = new Set<HandedFile>();
  #isClosed = false;

  /** Null where no folder can be made: then everything comes in messages. */
  static make(): HandedFiles | null {
    try {
      return new HandedFiles(makeOwnedFolder("large"));
    } catch {
      return null;
    }
  }

  private constructor(folder: string) {
    this.folder = folder;
    const { dev, ino } = statSync(folder, { bigint: true });
    this.identity = [String(dev), String(ino)];
    if (folders.size === 0) process.once("exit", removeAll);
    folders.add(folder);
  }

  /** The message, with the files that it names. */
  in(message: JupyterMessage): JupyterMessage {
    const named = message.content[filesMember];
    if (typeof named !== "object" || named === null || Array.isArray(named)) return message;
    const files = Object.entries(named as JsonObject).flatMap(([name, reference]) => {
      const file = this.#file(reference);
      return file === null ? [] : [[name, file] as const];
    });
    return { ...message, large: Object.fromEntries(files) };
  }

  /** The kernel has ended. Readable files stay until they are released. */
  close(): void {
    this.#isClosed = true;
    this.#removeWhenUnused();
  }

  /** Only files in the folder: code in the kernel can send any name. */
  #file(reference: JsonValue): HandedFile | null {
    const { file, bytes, json, problem } = Object(reference) as Partial<Record<string, JsonValue>>;
    if (typeof bytes !== "number") return null;
    const isNamed = typeof file === "string" && /^[0-9a-f]{16}$/.test(file);
    const why = typeof problem === "string" ? problem : isNamed ? null : "the kernel did not name its file";
    const handed = new HandedFile(join(this.folder, isNamed ? file : "none"), bytes, json === true, why, () => {
      this.#open.delete(handed);
      this.#removeWhenUnused();
    });
    this.#open.add(handed);
    return handed;
  }

  #removeWhenUnused(): void {
    if (!this.#isClosed || this.#open.size > 0) return;
    folders.delete(this.folder);
    if (folders.size === 0) process.off("exit", removeAll);
    void rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A value in a file. */
export class HandedFile implements LargeContent {
  readonly bytes: number;
  readonly isJson: boolean;
  readonly problem: string | null;
  readonly #path: string;
  readonly #onRelease: () => void;
  #isReleased = false;

  constructor(path: string, bytes: number, isJson: boolean, problem: string | null, onRelease: () => void) {
    this.#path = path;
    this.bytes = bytes;
    this.isJson = isJson;
    this.problem = problem;
    this.#onRelease = onRelease;
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    if (this.problem !== null) throw new Error(`This value cannot be read: ${this.problem}.`);
    if (this.#isReleased) throw new Error("This value can be read only until the next event is asked for.");
    await using file = await open(this.#path, readOnly);
    if (!(await file.stat()).isFile()) throw new Error("This value cannot be read: it is in no file.");
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** No new reader may start; a running one may finish. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    void rm(this.#path, { force: true })
      .catch(() => undefined)
      .finally(this.#onRelease);
  }
}

const chunkBytes = 256 * 1024;
/** Follows no link that code in the kernel has made, and waits for no pipe. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Folders of hosts that ended without closing their kernels. */
const folders = new Set<string>();

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
