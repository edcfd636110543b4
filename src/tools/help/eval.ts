export const evalHelp = `# eval

The same as python, with a language and a reset for every cell.

\`\`\`json
{"cells": [{"language": "py", "code": "x = 6 * 7"}, {"language": "py", "code": "x", "title": "show"}]}
\`\`\`

- \`language\` is \`py\`. On Jupyter backends it may also be the language of any installed kernelspec (\`bash\`, \`r\`, \`julia\`); one
  that is not known is answered with those that are.
- Each language has a kernel of its own, and cells run in the order of the call, whichever kernel they are for.
- \`reset\` gives the cell a fresh kernel; what earlier cells in that language made is gone:

\`\`\`json
{"cells": [{"language": "py", "code": "import sys; sys.version", "reset": true}]}
\`\`\`

Everything else is as the help on python has it.
`;
