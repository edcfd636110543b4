export const bashHelp = `# bash

Runs a command as the user's shell would: with its aliases, functions and PATH, and the programs of the project's Python first.

\`\`\`json
{"command": "git status --short && pytest -q", "timeout": 120, "cwd": "backend"}
\`\`\`

- Every call is a new shell: variables and \`cd\` do not persist. Files do.
- \`timeout\` is how many seconds the call waits, 1 to 600, 30 by default. Then the call returns the output so far, and the command
  continues as an execution: the tool executions waits for it, looks at its processes, or interrupts it and its children.
- stdin is empty. Use flags such as \`--yes\`.
- stdout and stderr come in the order in which they were written. Long output goes to an artifact, which the result names.
- For a server, put \`&\` after it and send its output to a file:

\`\`\`json
{"command": "python3 -m http.server 8000 > server.log 2>&1 &"}
\`\`\`

- In a sandbox with bubblewrap, background processes end with their command, and the result says so: use a server in the command that
  starts it.
`;
