export const executionsHelp = `# executions

Cells, commands and runs of notebooks have ids, such as run-3. What outlives its call is followed by its id.

\`\`\`json
{"action": "list"}
{"action": "poll", "id": "run-3", "since": 17}
{"action": "wait", "id": "run-3", "timeout": 120}
{"action": "interrupt", "id": "run-3"}
{"action": "look", "id": "run-3"}
\`\`\`

- An answer names the next position; with \`since\`, only what came after it is told. Without, everything.
- \`wait\` ends when the cell does, or after \`timeout\` seconds (1 to 600, 30 by default); the cell goes on in either case.
- \`interrupt\` raises KeyboardInterrupt in the cell, or takes it out of the queue. Variables stay. A command gets SIGTERM.
- \`look\` shows where it is, without disturbing it: Python stack, CPU and memory, child processes, progress bars, last output.
- Without an id, it is the one that runs, if there is only one.
- The last 200 that are over are remembered. Ids are valid as long as this server runs.
`;

export const variablesHelp = `# variables

What the variables of a kernel hold, without running any code; also while a cell runs.

\`\`\`json
{"limit": 50}
{"session": "experiment"}
\`\`\`

Data comes first, then functions, classes and modules. Kernels of Jupyter's cannot tell: there, use python.
`;

export const kernelsHelp = `# kernels

\`\`\`json
{"action": "list"}
{"action": "interrupt"}
{"action": "restart", "session": "experiment"}
{"action": "shutdown", "session": "experiment", "force": true}
\`\`\`

- \`interrupt\` stops the cell that runs; variables stay, and what waits runs next.
- \`restart\` stops what runs, drops what waits and ends the kernel. The next cell gets a fresh one, and its result says that variables
  are gone.
- \`shutdown\` does the same and leaves the session.
- A session that others use, too, is left alone unless \`force\` is set.
`;
