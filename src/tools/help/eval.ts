export const evalHelp = `# eval

The same as python, with a language and a reset for every cell.

\`\`\`json
{"cells": [{"language": "py", "code": "x = 6 * 7"}, {"language": "py", "code": "x", "title": "show"}]}
\`\`\`

- \`language\` is \`py\`. On Jupyter backends it may also be the language of any installed kernelspec (\`bash\`, \`r\`, \`julia\`); an
  unknown one is answered with the known ones.
- Each language has a kernel of its own, and cells run in the order of the call across kernels.
- \`reset\` gives the cell a fresh kernel; earlier variables of that language are lost:

\`\`\`json
{"cells": [{"language": "py", "code": "import sys; sys.version", "reset": true}]}
\`\`\`

For everything else, see the help on python.
`;
