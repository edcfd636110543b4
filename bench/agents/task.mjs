// The types that a task and a system have in common; nothing runs here.

/** @typedef {import("./recording.mjs").Answer} Answer */
/** @typedef {(name: string, args: Record<string, unknown>) => Promise<Answer>} Call */

/**
 * What a script of calls has at hand.
 * @typedef {object} Agent
 * @property {Call} call in the client that is connected
 * @property {() => Promise<void>} reconnect another client process takes over
 * @property {string} folder the working folder of the server
 */

/**
 * @typedef {object} Verdict
 * @property {boolean} done whether the work was done, and done once
 * @property {boolean} isTrue whether everything that the server stated is so
 * @property {string} [why] in one line, where either is false
 */

/**
 * @typedef {object} Task
 * @property {string} title
 * @property {(folder: string) => void} [prepare] files that are there before
 * @property {Record<string, (agent: Agent) => Promise<Verdict>>} scripts by system: the calls that an agent makes
 */

/**
 * @typedef {object} System
 * @property {string} name as in `scripts`
 * @property {(python: string) => string} title with version
 * @property {(place: { folder: string, python: string, env: Record<string, string> }) => Promise<RunningSystem>} start
 */

/**
 * @typedef {object} RunningSystem
 * @property {() => Promise<import("@modelcontextprotocol/client").Client>} connect
 * @property {() => Promise<void>} stop
 */

export {};
