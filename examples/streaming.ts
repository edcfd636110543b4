// Output arrives live and in order: prints, child processes, warnings, displays.
import assert from "node:assert/strict";
import { startKernel } from "granary";

const kernel = await startKernel();
try {
  const code = `
import subprocess, sys
print("measuring")
subprocess.run(["echo", "a child process"])
print("a warning", file=sys.stderr)
display({"mean": 4.2})
print("finished")
`;

  let story = "";
  for await (const event of kernel.execute(code)) {
    switch (event.type) {
      case "stream":
        process[event.name].write(event.text); // "stdout" or "stderr"; a piece of text, not always a whole line
        story += event.text;
        break;
      case "display":
        story += `(shown: ${event.data["text/plain"]})\n`;
        break;
      case "done":
        story += event.outcome;
    }
  }

  assert.equal(story, "measuring\na child process\na warning\n(shown: {'mean': 4.2})\nfinished\nok");
} finally {
  await kernel.close();
}
