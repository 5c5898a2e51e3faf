/**
 * The style sheet of a report. Colours are variables, once for light and once for dark screens; a
 * narrow screen gets one column. There are no style attributes, because the page's content security
 * policy forbids them.
 */
export const pageStyle = `
:root { color-scheme: light dark; --back: #ffffff; --card: #f6f7f9; --text: #1c1f24; --dim: #5c6470; --line: #d5d9e0;
  --red: #b3261e; --red-back: #fbe9e7; --green: #1a6e3a; --green-back: #e4f4e8; --blue: #0b57a4; --amber: #8a5a00; --amber-back: #fdf1d9; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171c; --card: #1d2128; --text: #e4e7ec; --dim: #a0a8b4; --line: #3a414c;
    --red: #ff9a8f; --red-back: #45201d; --green: #86d49c; --green-back: #16351f; --blue: #8fc0ff; --amber: #f0c36d; --amber-back: #3d3013; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 76rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--blue); } :focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
h1 { font-size: 1.5rem; margin: 0.5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.75rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 0.25rem; overflow-wrap: anywhere; } section > h3, .needs-script > h3 { margin-top: 1rem; }
code, pre, .stack { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 13px; overflow-wrap: anywhere; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; background: var(--back); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0; margin: 0.5rem 0; }
.verdict { display: inline-block; padding: 0.1rem 0.6rem; border-radius: 1rem; font-weight: 600; }
.verdict.clean { color: var(--green); background: var(--green-back); } .verdict.findings { color: var(--red); background: var(--red-back); }
.verdict.inconclusive { color: var(--amber); background: var(--amber-back); }
article { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--dim); border-radius: 4px; padding: 0.75rem 1rem; margin: 0 0 1rem; }
article.error, article.refuted { border-left-color: var(--red); } article.warning, article.unknown { border-left-color: var(--amber); }
article.proved { border-left-color: var(--green); }
article.error .code, article.refuted .code { color: var(--red); } article.warning .code, article.unknown .code { color: var(--amber); }
article.proved .code { color: var(--green); } article p { margin: 0.35rem 0; overflow-wrap: anywhere; } .where { color: var(--dim); }
pre { overflow-x: auto; margin: 0.5rem 0; padding: 0.5rem; background: var(--back); border: 1px solid var(--line); border-radius: 4px; line-height: 1.45; }
pre.output { max-height: 24rem; overflow: auto; white-space: pre-wrap; } pre.source { white-space: pre; }
pre.source .line, pre.source .caret { display: block; width: max-content; min-width: 100%; padding-right: 1rem; }
.number { display: inline-block; width: 3.6rem; padding-right: 0.8rem; text-align: right; color: var(--dim); user-select: none; }
.gap { color: var(--dim); } .line.primary { background: var(--red-back); } .line.allocated, .line.freed, .line.note { background: var(--amber-back); }
.caret { font-weight: 600; } .caret.primary { color: var(--red); } .caret.allocated, .caret.freed, .caret.note { color: var(--amber); }
.line.run { background: var(--green-back); } .line.missed { background: var(--red-back); }
.line.on-path { box-shadow: inset 4px 0 0 var(--blue); }
.bar .missed { fill: var(--red-back); stroke: var(--line); } .bar .run { fill: var(--green); }
summary { cursor: pointer; } details { margin: 0.35rem 0; } .stack { margin: 0.25rem 0; padding-left: 2.5rem; }
.scrolls { overflow-x: auto; } table { border-collapse: collapse; margin: 0.5rem 0; } caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { text-align: left; padding: 0.2rem 0.9rem 0.2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } .n { text-align: right; }
.charts { display: flex; flex-wrap: wrap; gap: 0.5rem; } .chart { background: var(--card); border: 1px solid var(--line); border-radius: 4px; max-width: 100%; height: auto; }
.chart .name { fill: var(--text); font-size: 12px; font-weight: 600; } .chart .tick { fill: var(--dim); font-size: 10px; }
.chart .grid { stroke: var(--line); } .chart .curve { fill: none; stroke: var(--blue); stroke-width: 1.5; }
.heap-map { max-width: 100%; height: auto; } .heap-map .background { fill: var(--card); } .heap-map text { fill: var(--text); } .heap-map .tick { fill: var(--dim); }
.heap-map .axis { stroke: var(--dim); } .heap-map .border { stroke: var(--card); }
@media (prefers-color-scheme: dark) { .heap-map .free { fill: #000000; } .heap-map .client { fill: #d8dce2; } .heap-map .sparse { fill: #6b7380; }
  .heap-map .metadata { fill: #ff5a4f; } .heap-map .guard { fill: #2c5f85; } }
button, input, select { font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--line); border-radius: 4px; padding: 0.15rem 0.6rem; }
.controls { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.5rem 0; }
[hidden] { display: none !important; }
.tree, .tree ul { list-style: none; margin: 0; padding-left: 0; } .tree ul { padding-left: 0.9rem; border-left: 1px solid var(--line); }
.tree li > span { cursor: pointer; border-radius: 3px; padding: 0 0.25rem; } .tree li[aria-selected='true'] > span { background: var(--amber-back); }
.tree .twig { display: inline-block; width: 1.1em; color: var(--dim); } .tree .edge { color: var(--dim); } .bad { color: var(--red); }
.tree-box { max-height: 32rem; overflow: auto; border: 1px solid var(--line); border-radius: 4px; padding: 0.5rem; }
canvas { width: 100%; max-height: 220px; display: block; border: 1px solid var(--line); border-radius: 4px; margin: 0.5rem 0; cursor: pointer; }
.command { white-space: nowrap; } .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; }
@media (max-width: 48rem) { .columns { grid-template-columns: minmax(0, 1fr); } body { padding: 0.75rem 0.75rem 3rem; } .number { width: 2.6rem; } .heap-map { max-width: none; } .command { white-space: normal; } }
@media print { .tree-box, .controls, canvas { display: none; } }
`;
