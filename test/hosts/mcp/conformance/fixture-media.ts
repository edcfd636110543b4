import { deflateSync } from "node:zlib";
import { writeChunks } from "../../../../src/output/pictures/png-chunks.ts";

/** A red pixel. */
export const pixel = writeChunks([
  { name: "IHDR", data: Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]) },
  { name: "IDAT", data: deflateSync(Buffer.from([0, 255, 0, 0])) },
  { name: "IEND", data: Buffer.alloc(0) },
]).toString("base64");

/** A sound of zero length: the header of a WAV file. */
export const silence = Buffer.concat([
  Buffer.from("RIFF"),
  Buffer.from([36, 0, 0, 0]),
  Buffer.from("WAVEfmt "),
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]),
  Buffer.from("data"),
  Buffer.from([0, 0, 0, 0]),
]).toString("base64");
