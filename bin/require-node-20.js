// Old syntax on purpose: this file is what an old Node reads first.
"use strict";

const major = Number(process.versions.node.split(".")[0]);

if (major < 20) {
  process.stderr.write(
    `granary: Node ${process.versions.node} is too old. Granary needs Node 20 or newer: https://nodejs.org/en/download\n`,
  );
  process.exit(2);
}
