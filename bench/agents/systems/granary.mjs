import { inRepository } from "../../../scripts/repository.mjs";
import { connect } from "./connect.mjs";

/** @type {import("../task.mjs").System} */
export const granary = {
  name: "granary",
  title: () => "Granary",
  async start({ folder, python, env }) {
    const args = [inRepository("bin/granary"), "mcp", "--cwd", folder, "--python", python];
    return {
      connect: () => connect({ command: process.execPath, args, cwd: folder, env }),
      stop: async () => {},
    };
  },
};
