export const pythonHelp = `# python

Runs cells of Python in a kernel that keeps its variables between calls.

\`\`\`json
{"cells": [{"title": "load", "code": "rows = open('data.csv').readlines()"}, {"code": "len(rows)"}]}
\`\`\`

- Cells of one call run one after the other, up to the first that fails. Earlier cells keep their effect: send only the rest again.
- The value of the last expression is shown; a semicolon after it hides it. \`print\`, \`display\`, plots, tables and pictures
  come back in order. matplotlib figures need no \`plt.show()\`.
- Top-level \`await\`, \`%pip install\`, \`%timeit\`, \`!ls\`, \`name?\` work as in a notebook. Helpers such as \`read_file\`, \`bash\` and \`tree\`
  need no import: \`help(bash)\`.
- \`input()\` fails unless a person can be asked. Put the data into the code, a file or an environment variable.

## Time

\`timeout\` is how many seconds the call waits, for all cells together, 1 to 600, 30 by default. Then the call returns the output so far
("still running: run-7, 30 s so far"), and the cells continue. The tool executions waits for them, shows where they are, or interrupts
them. To not wait at all:

\`\`\`json
{"cells": [{"code": "model.fit(x, y)"}], "background": true}
\`\`\`

returns ids at once. Until the end, other calls in the same session fail as busy. Use another session, or queue the call:

\`\`\`json
{"cells": [{"code": "model.score(x, y)"}], "queue": true}
\`\`\`

## Where

\`\`\`json
{"cells": [{"code": "x = 1"}], "session": "experiment", "cwd": "notebooks"}
\`\`\`

Each session has its own variables, and each folder its own kernel. The result says when the kernel is another.
\`reset\` begins with a fresh kernel:

\`\`\`json
{"cells": [{"code": "import sys; sys.version"}], "reset": true}
\`\`\`

## Branches

\`\`\`json
{"branches": [{"title": "linear", "cells": ["fit(LinearRegression())"]}, {"title": "forest", "cells": ["fit(RandomForestRegressor())"]}]}
\`\`\`

Each branch runs in its own copy of the variables, all at the same time, and the results come side by side. The session stays as it
was. \`"keep": "forest"\`, in the same call or in the next one, makes that branch the session. Files are shared, so let each branch
write its own.

## Reading the result

    still running: run-7, …        the call has returned, and the cells continue
    Error: Cell 2 of 3 failed: …    only when something failed; then what was not run
    [printed since the cell before] what threads and child processes printed in between
    [cell 1/3: title]               only with several cells, or with the line above
    … 9,000 lines (58,890 bytes) left out; all of it: artifact://main-1 …
    (no output)
    Note: …                         such as lost variables, or a clamped timeout

An \`artifact://\` address can be read with the tool read, in parts: \`artifact://main-1:100-200\`.
`;
