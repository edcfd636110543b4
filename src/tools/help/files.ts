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

- Behind a colon, lines: \`10-20\`, \`10-\` to the end, \`-10\` for the last ten, \`5,10-20\` for several ranges. They count from 1.
- A notebook comes as cell text: \`# %% [code] cell:3\` stands above the source of cell 3. edit and write take the same text back.
  \`:raw\` is the file's JSON. \`outputs\` shows so many characters of each cell's output.
- PNG and JPEG come as pictures. A folder is listed. Other binary files are refused.
- What is too long ends with how to read on.
`;

export const editHelp = `# edit

Replaces text in a file, exactly as it stands there.

\`\`\`json
{"path": "src/app.py", "edits": [{"old": "debug = True", "new": "debug = False"}]}
{"path": "src/app.py", "edits": [{"old": "colour", "new": "color", "all": true}]}
\`\`\`

- \`old\` has to be there exactly once; with \`all\`, every one is replaced. If there are several, the answer says where: give more around it.
- Several edits are made in order, all or none.
- Line ends, the mode of the file and everything else stay as they are.
- In a notebook, edit the cell text as read shows it. Outputs of cells that keep their \`cell:N\` stay.
`;

export const writeHelp = `# write

Makes a file, with the folders on the way, or replaces it.

\`\`\`json
{"path": "src/app.py", "content": "print(6 * 7)\\n"}
{"path": "analysis.ipynb", "content": "# %% [markdown]\\n# Title\\n# %% [code]\\nprint(6 * 7)\\n"}
\`\`\`

A notebook is written as cell text. A marker with \`cell:N\` keeps what that cell has besides its source; one without is a new cell.
`;
