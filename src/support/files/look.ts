/** Questions about files before a kernel starts. The bundle of `granary run` has `look-directly.ts` instead: see `scripts/build.mjs`. */
export { access, lstat, open, readdir, readFile, realpath, stat } from "node:fs/promises";
export { isPresent, mayBePresent } from "./foreign/presence.ts";
export { readSmallFile } from "./foreign/regular-file.ts";
