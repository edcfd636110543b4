export const readHelp = `# read

A file, a folder, a notebook, a picture or an artifact.

\`\`\`json
{"path": "src/app.py"}
{"path": "big.log:100-200,500-"}
{"path": "big.log:-20"}
{"path": "analysis.ipynb"}
{"path": "analysis.ipynb:raw"}
{"path": "artifact://main-3:1-200"}
\`\`\`

- After a colon, lines: \`10-20\`, \`10-\` to the end, \`-10\` for the last ten, \`5,10-20\` for several ranges. They count from 1.
- A notebook comes as cell text: \`# %% [code] cell:3\` stands above the source of cell 3. edit and write take the same text back.
  \`:raw\` is the file's JSON. \`outputs\` shows that many characters of each cell's output.
- PNG and JPEG come as pictures. A folder is listed. Other binary files are refused.
- Long text ends with how to read on.
`;

export const editHelp = `# edit

Replaces exact text in a file.

\`\`\`json
{"path": "src/app.py", "edits": [{"old": "debug = True", "new": "debug = False"}]}
{"path": "src/app.py", "edits": [{"old": "colour", "new": "color", "all": true}]}
\`\`\`

- \`old\` must occur exactly once; \`all\` replaces every occurrence. If there are several, the answer says where: include more context.
- Several edits are made in order, all or none.
- Line ends, the mode of the file and everything else stay unchanged.
- In a notebook, edit the cell text as read shows it. Outputs of cells that keep their \`cell:N\` stay.
`;

export const writeHelp = `# write

Makes or replaces a file, and makes missing folders.

\`\`\`json
{"path": "src/app.py", "content": "print(6 * 7)\\n"}
{"path": "analysis.ipynb", "content": "# %% [markdown]\\n# # Title\\n# %%\\nprint(6 * 7)\\n"}
\`\`\`

A notebook is written as cell text. A marker with \`cell:N\` keeps that cell's id, metadata and outputs; one without is a new cell.
Markdown may stand in comments: when every line begins with \`# \`, that prefix is removed, so a heading is \`# # Title\`.
`;
