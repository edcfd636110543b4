import { GranaryError } from "../../../support/granary-error.ts";
import type { ConsoleCommand } from "./command.ts";

export const background: ConsoleCommand = {
  name: "background",
  argument: "[code]",
  summary: "runs code in a Python of its own; without code, moves the running cell to the background",
  run(code, console) {
    if (code !== "") {
      console.runBeside(code);
    } else if (console.foreground === null) {
      throw new GranaryError("usage", "Nothing is running. To run something beside this: /background train(10)");
    } else {
      console.toBackground();
    }
  },
};
