export const executionsHelp = `# executions

Cells, commands and notebook runs have ids, such as run-3. Use the id to follow work that outlives its call.

\`\`\`json
{"action": "list"}
{"action": "poll", "id": "run-3", "since": 17}
{"action": "wait", "id": "run-3", "timeout": 120}
{"action": "interrupt", "id": "run-3"}
{"action": "look", "id": "run-3"}
\`\`\`

- An answer names the next position; \`since\` returns only output after it. Without it, everything.
- \`wait\` ends when the cell does, or after \`timeout\` seconds (1 to 600, 30 by default); the cell continues either way.
- \`interrupt\` raises KeyboardInterrupt in the cell, or removes it from the queue. Variables stay. A command gets SIGTERM.
- \`look\` shows where it is, without disturbing it: Python stack, CPU and memory, child processes, progress bars, last output.
- Without an id, the action is for the only running execution.
- The last 200 that ended are kept. Ids are valid as long as this server runs.
`;

export const variablesHelp = `# variables

Shows a kernel's variables without running any code, even while a cell runs.

\`\`\`json
{"limit": 50}
{"session": "experiment"}
\`\`\`

Data comes first, then functions, classes and modules. Jupyter kernels cannot list them: use python there.
`;

export const kernelsHelp = `# kernels

\`\`\`json
{"action": "list"}
{"action": "interrupt"}
{"action": "undo", "to": 3}
{"action": "restart", "session": "experiment"}
{"action": "shutdown", "session": "experiment", "force": true}
\`\`\`

- \`interrupt\` stops the running cell; variables stay, queued cells run next.
- \`undo\` puts variables back as they were after cell \`to\`, or before the last cell. \`list\` shows the
  states that there are, and undo to a later one undoes an undo. Files, connections and child processes are not put back.
- \`restart\` stops the cell, drops queued ones and ends the kernel. The next cell gets a fresh one, and its result says that variables
  are gone.
- \`shutdown\` does the same and leaves the session.
- A session that others use is left alone unless \`force\` is set.
`;
