/** Light and dark, narrow and wide, on paper as well. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1f2328; --back: #fff; --soft: #f6f8fa; --line: #d1d9e0; --muted: #59636e;
  --keyword: #cf222e; --string: #0a3069; --comment: #59636e; --number: #0550ae; --name: #6639ba; --error: #ffebe9; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --soft: #151b23; --line: #3d444d; --muted: #9198a1;
  --keyword: #ff7b72; --string: #a5d6ff; --comment: #9198a1; --number: #79c0ff; --name: #d2a8ff; --error: #3c1618; } }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1rem; }
section { margin: 1.25rem 0; overflow-wrap: break-word; }
pre { margin: 0; padding: .6rem .8rem; overflow-x: auto; font: 13.5px/1.5 ui-monospace, monospace; }
.prompt { color: var(--muted); font: 12px ui-monospace, monospace; }
.source { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
.outputs { padding: .3rem 0 0 .8rem; overflow-x: auto; }
.stderr, .error { background: var(--error); border-radius: 6px; }
.note, figcaption { color: var(--muted); }
.keyword { color: var(--keyword); } .string { color: var(--string); } .comment { color: var(--comment); }
.number, .builtin { color: var(--number); } .definition, .decorator { color: var(--name); }
img { max-width: 100%; background: #fff; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted); }
:not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: 4px; }
@media print { main { max-width: none; } pre { white-space: pre-wrap; } }
`;
