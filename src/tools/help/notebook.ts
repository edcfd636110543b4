export const notebookHelp = `# notebook

Edits and runs the cells of a Jupyter notebook; all other bytes of the file stay unchanged.

\`cells\` names cells by index, from 0, by range and by id: \`2\`, \`0-3,7\`, \`5-\`, \`a1b2c3d4\`.

\`\`\`json
{"action": "new", "path": "a.ipynb"}
{"action": "insert", "path": "a.ipynb", "cells": "0", "cell_type": "markdown", "content": "# Title"}
{"action": "edit", "path": "a.ipynb", "cells": "2", "content": "df.plot()"}
{"action": "replace", "path": "a.ipynb", "cells": "2", "old": "plot", "new": "hist"}
{"action": "move", "path": "a.ipynb", "cells": "2", "to": 0}
{"action": "delete", "path": "a.ipynb", "cells": "a1b2c3d4"}
{"action": "type", "path": "a.ipynb", "cells": "1", "cell_type": "markdown"}
{"action": "split", "path": "a.ipynb", "cells": "1", "line": 5}
{"action": "merge", "path": "a.ipynb", "cells": "1-2"}
{"action": "clear", "path": "a.ipynb"}
{"action": "show", "path": "a.ipynb", "cells": "2-3"}
{"action": "find", "path": "a.ipynb", "content": "/read_\\\\w+/i"}
{"action": "outline", "path": "a.ipynb"}
{"action": "check", "path": "a.ipynb"}
\`\`\`

Several at once, all or none:

\`\`\`json
{"action": "batch", "path": "a.ipynb", "edits": [{"action": "delete", "cells": "5"}, {"action": "clear"}]}
\`\`\`
`;

export const notebookRunHelp = `
## Running it

\`\`\`json
{"action": "run", "path": "a.ipynb"}
{"action": "run", "path": "a.ipynb", "cells": "3-4", "timeout": 120}
{"action": "run", "path": "a.ipynb", "cells": "3-", "fresh": true, "params": {"year": 2024}, "out": "2024.ipynb"}
{"action": "run", "path": "a.ipynb", "resume": true}
{"action": "verify", "path": "a.ipynb"}
\`\`\`

- The cells run in the session of the tool python, which has their variables afterwards; outputs are saved after every cell.
- It stops at the first cell that fails, and says which; \`allow_errors\` continues.
- \`timeout\` is how many seconds the call waits, 30 by default. Then the call returns, and the run continues: see the tool executions.
- \`verify\` begins with a fresh kernel, saves nothing, and says which outputs would differ.
`;
