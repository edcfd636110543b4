import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";
import type { NodeEnvironmentName } from "./build-node-environment.mjs";
import type { NodeEnvironment, TestPythons } from "./set-up.mjs";

/**
 * A folder with npm packages that tests talk to: `mcp` has the conformance suite, the Inspector's command line and a newer
 * Node; `pi`, `pi-newer` and `pi-1` have the agent of that name; `zeromq` has libzmq; `jupyterlab` has its
 * client library; `browser` has a Chromium. Where it could not be made, such as
 * without a network, the reason takes its place and the test is to be skipped.
 */
export function nodeEnvironment(name: NodeEnvironmentName): NodeEnvironment {
  const found: TestPythons = JSON.parse(readFileSync(inRepository("node_modules/.cache/test-pythons.json"), "utf8"));
  return found.nodeEnvironments[name];
}

/** A Node of at least that major version: this one, or the one among some packages; null when neither is. */
export function nodeFrom(major: number, folder: string): string | null {
  if (Number(process.versions.node.split(".")[0]) >= major) return process.execPath;
  const packaged = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  return existsSync(packaged) ? packaged : null;
}
