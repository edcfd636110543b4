import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { inRepository } from "../../../scripts/repository.mjs";
import { connect } from "./connect.mjs";

/** @type {import("../task.mjs").System} */
export const granary = {
  name: "granary",
  title: () => "Granary",
  async start({ folder, python, env }) {
    const args = [inRepository("bin/granary"), "mcp", "--cwd", folder, "--python", python];
    // Each connection has a client process of its own, as that of another agent has.
    const ownClient = ["-e", client, process.execPath, ...args];
    const home = join(folder, ".granary-home");
    const own = { ...env, GRANARY_HOME: home };
    return {
      connect: () => connect({ command: process.execPath, args: ownClient, cwd: folder, env: own }),
      async stop() {
        execFileSync(process.execPath, [inRepository("bin/granary"), "hub", "stop"], { env: own, stdio: "ignore" });
      },
    };
  },
};

const client = `
  const [command, ...args] = process.argv.slice(1);
  require("node:child_process").spawn(command, args, { stdio: "inherit" }).on("exit", (code) => process.exit(code ?? 1));
`;
