// Run once before all tests: the checkout is built, the Pythons of this machine are known, environments are made.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { bootstrap } from "../../scripts/bootstrap.mjs";
import { inRepository, isMain, say } from "../../scripts/repository.mjs";
import { buildEnvironment, cacheFolder } from "./build-environment.mjs";
import { buildLibraries } from "./build-libraries.mjs";
import { buildNodeEnvironment } from "./build-node-environment.mjs";
import { compareVersions, findPythons } from "./find-pythons.mjs";

/** @typedef {import("./find-pythons.mjs").Python} Python */
/** @typedef {{ python: string } | { missing: string }} Environment */
/** @typedef {import("./build-environment.mjs").EnvironmentName} EnvironmentName */
/** @typedef {import("./build-node-environment.mjs").NodeEnvironmentName} NodeEnvironmentName */
/** @typedef {{ folder: string } | { missing: string }} NodeEnvironment */
/**
 * @typedef {object} TestPythons
 * @property {Python[]} pythons
 * @property {Record<Exclude<EnvironmentName, "libraries" | "agents">, Environment>} environments
 * @property {import("./build-libraries.mjs").Libraries | { missing: string }} libraries
 * @property {Record<NodeEnvironmentName, NodeEnvironment>} nodeEnvironments
 */

/** The versions for which every package in the lockfiles has a wheel. */
const usual = { oldest: "3.10", newest: "3.14" };
/** Enterprise Gateway pins packages of 2022. */
const old = { oldest: "3.10", newest: "3.11" };
const oldestOnly = { oldest: "3.8", newest: "3.8" };

const onlyLong = { missing: "npm run test:long makes it" };

export default async function setUp() {
  await prepareAll({ isLong: false });
}

/** @param {{ isLong: boolean }} choice whether the environments are made that only the long tests need */
export async function prepareAll(choice) {
  await bootstrap();
  const pythons = await findPythons();
  if (pythons.length === 0) throw new Error("The tests need a Python 3.8 or newer, and none was found on PATH.");
  say(`setting up the tests: Python environments and npm packages, in ${cacheFolder()}…`);

  const [main, plain, ipykernel6, enterprise, jupyterlab, mcp, pi, newerPi, pi1, zeromq, tokens, services, browser] =
    await Promise.all([
      prepare("main", pythons),
      prepare("plain", pythons),
      prepare("ipykernel6", pythons),
      choice.isLong ? prepare("enterprise", pythons, old) : onlyLong,
      choice.isLong ? prepare("jupyterlab", pythons) : onlyLong,
      prepareNode("mcp"),
      prepareNode("pi"),
      prepareNode("pi-newer"),
      prepareNode("pi-1"),
      prepareNode("zeromq"),
      prepareNode("tokens"),
      prepareNode("jupyterlab"),
      prepareNode("browser"),
    ]);
  // After the others: these are large.
  const oldest = choice.isLong ? await prepare("oldest", pythons, oldestOnly) : onlyLong;
  const libraries = choice.isLong ? await prepareLibraries(pythons) : onlyLong;
  const environments = { main, plain, ipykernel6, enterprise, jupyterlab, oldest };
  const nodeEnvironments = { mcp, pi, "pi-newer": newerPi, "pi-1": pi1, zeromq, tokens, jupyterlab: services, browser };
  publish({ pythons, environments, libraries, nodeEnvironments });
  say(`set up the tests, on Python ${pythons.map(({ version }) => version).join(", ")}.`);
}

/**
 * @param {Exclude<EnvironmentName, "libraries" | "agents">} name
 * @param {Python[]} pythons
 * @returns {Promise<Environment>}
 */
async function prepare(name, pythons, versions = usual) {
  try {
    return { python: await buildEnvironment(name, newestWithWheels(pythons, versions)) };
  } catch (error) {
    return missing(`the Python environment "${name}"`, error);
  }
}

/** @param {Python[]} pythons */
async function prepareLibraries(pythons) {
  try {
    return await buildLibraries(newestWithWheels(pythons, usual));
  } catch (error) {
    return missing('the Python environment "libraries"', error);
  }
}

/**
 * @param {NodeEnvironmentName} name
 * @returns {Promise<NodeEnvironment>}
 */
async function prepareNode(name) {
  try {
    return { folder: await buildNodeEnvironment(name) };
  } catch (error) {
    return missing(`the npm packages "${name}"`, error);
  }
}

/**
 * Without a network, what can be tested is tested; in CI, nothing may be left out.
 * @param {string} what
 * @param {unknown} error
 */
function missing(what, error) {
  if (process.env.CI) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  say(`tests that need ${what} are skipped. ${reason}`);
  return { missing: reason };
}

/**
 * @param {Python[]} pythons
 * @param {typeof usual} versions
 */
export function newestWithWheels(pythons, { oldest, newest } = usual) {
  const minor = (/** @type {Python} */ { version }) => version.split(".").slice(0, 2).join(".");
  const suitable = pythons.filter(
    (python) => compareVersions(minor(python), oldest) >= 0 && compareVersions(minor(python), newest) <= 0,
  );
  const last = suitable.at(-1);
  if (last === undefined) throw new Error(`It is made with a Python from ${oldest} to ${newest}, and none was found.`);
  return last;
}

/**
 * Where pythons.ts reads it, in whichever process and runtime a test lives.
 * @param {TestPythons} found
 */
function publish(found) {
  const folder = inRepository("node_modules/.cache");
  const draft = `${folder}/test-pythons-${process.pid}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(draft, JSON.stringify(found, null, 2));
  renameSync(draft, `${folder}/test-pythons.json`);
}

if (isMain(import.meta.url)) await setUp();
