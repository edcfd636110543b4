export const notebookHelp = `# notebook

Edits and runs the cells of a Jupyter notebook; all other bytes of the file stay unchanged.

A cell is named by \`cell_index\`, from 0, or by \`cell_id\`.

\`\`\`json
{"action": "new", "path": "a.ipynb"}
{"action": "insert", "path": "a.ipynb", "cell_index": 0, "cell_type": "markdown", "content": "# Title"}
{"action": "edit", "path": "a.ipynb", "cell_index": 2, "content": "df.plot()"}
{"action": "replace", "path": "a.ipynb", "cell_index": 2, "old": "plot", "new": "hist"}
{"action": "move", "path": "a.ipynb", "cell_index": 2, "to": 0}
{"action": "delete", "path": "a.ipynb", "cell_id": "a1b2c3d4"}
{"action": "type", "path": "a.ipynb", "cell_index": 1, "cell_type": "markdown"}
{"action": "split", "path": "a.ipynb", "cell_index": 1, "line": 5}
{"action": "merge", "path": "a.ipynb", "cell_index": 1, "count": 2}
{"action": "clear", "path": "a.ipynb"}
{"action": "show", "path": "a.ipynb", "cells": [2, 3]}
{"action": "check", "path": "a.ipynb"}
\`\`\`

Several at once, all or none:

\`\`\`json
{"action": "batch", "path": "a.ipynb", "edits": [{"action": "delete", "cell_index": 5}, {"action": "clear"}]}
\`\`\`
`;

export const notebookRunHelp = `
## Running it

\`\`\`json
{"action": "run", "path": "a.ipynb"}
{"action": "run", "path": "a.ipynb", "cells": [3, 4], "timeout": 120}
{"action": "run", "path": "a.ipynb", "from": 3, "fresh": true, "params": {"year": 2024}, "out": "2024.ipynb"}
{"action": "run", "path": "a.ipynb", "resume": true}
{"action": "verify", "path": "a.ipynb"}
\`\`\`

- The cells run in the session of the tool python, which has their variables afterwards; outputs are saved after every cell.
- It stops at the first cell that fails, and says which; \`allow_errors\` continues.
- \`timeout\` is how many seconds the call waits, 30 by default. Then the call returns, and the run continues: see the tool executions.
- \`verify\` begins with a fresh kernel, saves nothing, and says which outputs would differ.
`;
