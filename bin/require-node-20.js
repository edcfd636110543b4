// Old syntax on purpose: this file is what an old Node reads first.
"use strict";

const version = process.versions.node.split(".");

// 20.3 is the first with AbortSignal.any.
if (Number(version[0]) < 20 || (Number(version[0]) === 20 && Number(version[1]) < 3)) {
  process.stderr.write(
    `granary: Node ${process.versions.node} is too old. Granary needs Node 20.3 or newer: https://nodejs.org/en/download\n`,
  );
  process.exit(2);
}
