import {
  accessSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isPresentSync, mayBePresentSync } from "./foreign/presence.ts";
import { readSmallFileSync } from "./foreign/regular-file.ts";
import type * as look from "./look.ts";

/**
 * `look.ts` for a process that runs one command, and has nothing else to do: Node takes a fifth of a millisecond to ask in another
 * thread, and a start asks forty times. A server must not wait like this, because a network drive may not answer.
 */
export const access = answered(accessSync) as typeof look.access;
export const lstat = answered(lstatSync) as typeof look.lstat;
export const readdir = answered(readdirSync) as typeof look.readdir;
export const readFile = answered(readFileSync) as typeof look.readFile;
export const realpath = answered(realpathSync.native) as typeof look.realpath;
export const stat = answered(statSync) as typeof look.stat;
/** Of the handle, only what the search for Python needs. */
const opened = answered(openFile) as unknown as typeof look.open;

const read = answered(readSmallFileSync) as typeof look.readSmallFile;

const present = answered(isPresentSync) as typeof look.isPresent;
const maybePresent = answered(mayBePresentSync) as typeof look.mayBePresent;

export { maybePresent as mayBePresent, opened as open, present as isPresent, read as readSmallFile };

/** An error becomes a rejection, as of the function that it stands for. */
function answered<A extends unknown[], R>(ask: (...question: A) => R): (...question: A) => Promise<R> {
  return async (...question) => ask(...question);
}

function openFile(path: string) {
  const file = openSync(path, "r");
  return {
    read: answered((buffer: Buffer, offset: number, length: number) => {
      return { buffer, bytesRead: readSync(file, buffer, offset, length, 0) };
    }),
    close: answered(() => closeSync(file)),
  };
}
