// Swaps folders and files of a project for links to the outside and back, as fast as it can, until it is killed.
// node link-swapper.mjs PROJECT OUTSIDE
import { renameSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const [project = "", outside = ""] = process.argv.slice(2);
const inProject = (/** @type {string} */ name) => join(project, name);

symlinkSync(outside, inProject("link-to-folder"));
let made = 0;
process.stdout.write("ready\n");
for (;;) {
  // A folder on the way to the file.
  renameSync(inProject("folder"), inProject("folder-away"));
  attempt(() => {
    renameSync(inProject("link-to-folder"), inProject("folder"));
    renameSync(inProject("folder"), inProject("link-to-folder"));
  });
  while (!attempt(() => renameSync(inProject("folder-away"), inProject("folder")))) {
    attempt(() => renameSync(inProject("folder"), inProject(`made-${made++}`)));
  }
  // The file itself.
  attempt(() => {
    renameSync(inProject("plain/file.txt"), inProject("plain-away"));
    symlinkSync(join(outside, "file.txt"), inProject("plain/file.txt"));
    unlinkSync(inProject("plain/file.txt"));
    renameSync(inProject("plain-away"), inProject("plain/file.txt"));
  });
}

/** Tools under test make the same names, so a step may find something else than it left. */
function attempt(/** @type {() => void} */ steps) {
  try {
    steps();
    return true;
  } catch {
    return false;
  }
}
