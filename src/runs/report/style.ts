/** Uses the colours of the maps, which remain distinguishable with the common kinds of colour blindness. */
export const STYLE = `
:root {
  --page: #f7f8f8; --card: #fff; --ink: #1b2127; --soft: #59636d; --rule: #dfe3e6; --faint: #eef1f3;
  --accent: #1c5d99; --success: #0a7f5d; --failure: #c4531a; --invalid: #8b949c; --warn: #fdf1e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181b; --card: #1c2125; --ink: #e3e7ea; --soft: #9ba6af; --rule: #333b41; --faint: #262c31;
    --accent: #74b4ec; --success: #3fb890; --failure: #ef8b57; --invalid: #7d8790; --warn: #33271b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 70rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
h1, h2, h3, p, dl, figure, blockquote, pre { margin: 0; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.015em; }
h2 { font-size: 1.35rem; margin: 3.5rem 0 0.75rem; letter-spacing: -0.01em; }
h3 { font-size: 1.05rem; margin: 0 0 0.5rem; }
h3 span { color: var(--soft); font-weight: 400; }
a { color: var(--accent); }
small, .note, caption, .eyebrow { color: var(--soft); font-size: 0.85rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.8rem; }
code { overflow-wrap: anywhere; }
pre { padding: 0.75rem 1rem; background: var(--faint); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.eyebrow { letter-spacing: 0.04em; margin-bottom: 0.25rem; }
.lead { margin-top: 0.35rem; overflow-wrap: anywhere; }
header .note { overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.25rem 0 1.5rem; padding: 0.75rem 0 0; border-top: 1px solid var(--rule); list-style: none; }
.notice { margin: 0 0 0.75rem; padding: 0.6rem 0.9rem; border-left: 3px solid var(--invalid); background: var(--faint); font-size: 0.92rem; overflow-wrap: anywhere; }
.notice.warning { border-color: var(--failure); background: var(--warn); }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 1.1rem 1.25rem; }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin-bottom: 1.5rem; }
.number-card h3 { margin: 0; font-size: 0.95rem; }
.large { font-size: 2.6rem; line-height: 1.25; font-weight: 600; letter-spacing: -0.02em; }
.large span { font-size: 1.2rem; font-weight: 400; color: var(--soft); }
.number-card svg { margin: 0.35rem 0 0.5rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.92rem; }
caption { text-align: left; padding: 0 0 0.4rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-weight: 500; font-size: 0.82rem; white-space: nowrap; vertical-align: bottom; }
tbody th { font-weight: 500; overflow-wrap: break-word; }
.compact small { white-space: nowrap; }
@media (min-width: 40.01rem) {
  #failure-table th:first-child { min-width: 11rem; }
  .compact .number small { display: inline-block; margin-left: 0.6em; }
}
.number { text-align: right; white-space: nowrap; }
.drawing { width: 34%; min-width: 5rem; }
.columns .drawing { width: 32%; }
td small, th small { display: block; font-weight: 400; }
td > small:first-child { margin-top: 0.1rem; }
.task { margin-top: 1.25rem; padding: 1.1rem 1.25rem; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; }
.columns { columns: 2 24rem; column-gap: 2.5rem; margin-top: 1.25rem; }
.columns > div { break-inside: avoid; margin-bottom: 1.25rem; }
svg.interval { display: block; width: 100%; height: 18px; overflow: visible; }
.axis { stroke: var(--rule); stroke-width: 1; }
.tick { stroke: var(--rule); stroke-width: 1; }
.range { stroke: var(--accent); stroke-width: 5; stroke-opacity: 0.4; }
.mean { fill: var(--accent); stroke: var(--card); stroke-width: 1.5; }
.ends { display: flex; justify-content: space-between; color: var(--soft); font-size: 0.72rem; }
svg.outcomes { display: block; width: 100%; height: 12px; margin-top: 0.3rem; }
rect.success { fill: var(--success); } rect.failure { fill: var(--failure); } rect.invalid { fill: var(--invalid); }
.legend { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.legend i { display: inline-block; width: 0.7em; height: 0.7em; margin-right: 0.4em; border-radius: 2px; }
i.success { background: var(--success); } i.failure { background: var(--failure); } i.invalid { background: var(--invalid); }
.chip { display: inline-block; padding: 0 0.5em; border-radius: 1em; border: 1px solid currentColor; font-size: 0.78rem; line-height: 1.5; color: var(--soft); }
.chip.success, .holds { color: var(--success); } .chip.failure, .fails { color: var(--failure); }
.cards { columns: 2 26rem; column-gap: 1rem; margin-top: 1rem; }
.cards > * { break-inside: avoid; margin-bottom: 1rem; }
.episode > * + * { margin-top: 0.6rem; }
.episode h3 { margin: 0; font-size: 0.95rem; overflow-wrap: anywhere; }
blockquote { padding-left: 0.8rem; border-left: 2px solid var(--rule); color: var(--soft); font-size: 0.92rem; }
figure img, figure video, .map > svg { display: block; width: 100%; height: auto; border-radius: 4px; }
.facts { display: flex; flex-wrap: wrap; gap: 0.4rem 1.1rem; font-size: 0.88rem; }
.facts dt { color: var(--soft); font-size: 0.78rem; } .facts dd { margin: 0; }
.facts.wide { margin-bottom: 1.25rem; }
.hashes { font-size: 0.82rem; } .hashes dt { color: var(--soft); } .hashes dd { margin: 0 0 0.3rem; }
svg.course { display: block; width: 100%; height: 26px; }
.held { fill: var(--success); fill-opacity: 0.18; }
.needed { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 3; vector-effect: non-scaling-stroke; }
.value { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
details { margin-top: 0.6rem; }
summary { cursor: pointer; color: var(--accent); font-size: 0.88rem; }
details > *:not(summary) { margin-top: 0.6rem; }
.filter { margin-bottom: 0.75rem; font-size: 0.92rem; }
.filter[hidden] { display: none; }
input { font: inherit; padding: 0.25rem 0.5rem; color: inherit; background: var(--card); border: 1px solid var(--rule); border-radius: 4px; }
#provenance table { margin-bottom: 1rem; } #provenance pre { margin-bottom: 1.25rem; }
@media (prefers-color-scheme: dark) { .map > svg { filter: invert(0.88) hue-rotate(180deg); } }
@media (max-width: 40rem) {
  .extra { display: none; }
  body { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.6rem; }
  .task, .card { padding: 0.9rem; }
}
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --rule: #bbb; --faint: #f3f3f3; --accent: #1c5d99; --success: #0a7f5d; --failure: #c4531a; --invalid: #8b949c; --warn: #fdf1e3; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .filter { display: none; }
  header { margin-bottom: 1rem; }
  .scroll { overflow: visible; }
  h2, h3, caption, thead, h2 + .note { break-after: avoid; }
  .card, tr { break-inside: avoid; }
  .columns > div { break-inside: auto; }
  .map > svg { filter: none; }
  svg, rect, line { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
`;
