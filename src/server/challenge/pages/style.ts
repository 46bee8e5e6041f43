/** Text has a contrast of at least 4.5 : 1 in both themes. */
const LIGHT = `
  color-scheme: light;
  --ground: #f6f7f9; --surface: #ffffff; --sunken: #eef0f4; --line: #dfe2e8; --text: #171a21; --muted: #565d6b;
  --accent: #1d55b8; --accent-soft: #e3ecfb; --on-accent: #ffffff; --band: #9dbcf0; --good: #14653d; --good-soft: #d9f0e3;
  --warn: #7a4b00; --warn-soft: #fdefd3; --bad: #a3281a; --bad-soft: #fbe0da; --gold: #f5d267; --silver: #d5dae3; --bronze: #e9bd94;
  --on-medal: #1d1a10; --shadow: 0 1px 2px rgb(20 30 60 / 0.05), 0 8px 24px rgb(20 30 60 / 0.05);`;

const DARK = `
  color-scheme: dark;
  --ground: #0f1217; --surface: #181c23; --sunken: #222833; --line: #2d3441; --text: #eceff4; --muted: #a3acba;
  --accent: #8fb6ff; --accent-soft: #1f2f4d; --on-accent: #0c1728; --band: #40659f; --good: #84d8a9; --good-soft: #173526;
  --warn: #f2c46d; --warn-soft: #3a2d12; --bad: #ff9d8a; --bad-soft: #45201a; --gold: #d9b13f; --silver: #aab2bf; --bronze: #c48f5f;
  --shadow: none;`;

export const STYLE = `
:root {${LIGHT}
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif;
}
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${DARK}
} }
:root[data-theme="dark"] {${DARK}
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 var(--font); overflow-wrap: break-word; }
h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 2.1rem; line-height: 1.15; letter-spacing: -0.02em; font-weight: 700; }
h2 { font-size: 1.05rem; line-height: 1.3; font-weight: 650; }
a { color: var(--accent); text-underline-offset: 3px; }
a:hover { text-decoration-thickness: 2px; }
code { font: 0.85em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.note { display: block; color: var(--muted); font-size: 0.85rem; font-weight: 400; line-height: 1.45; }
.note.inline { display: inline; margin-left: 0.4em; }
.narrow { display: none; }
.skip { position: absolute; left: 8px; top: -60px; z-index: 2; padding: 8px 14px; background: var(--surface); border-radius: 6px; }
.skip:focus { top: 8px; }

.top { display: flex; align-items: center; gap: 8px 24px; flex-wrap: wrap; padding: 12px max(20px, calc((100% - 62rem) / 2)); background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { flex: 1; min-width: 0; font-weight: 700; letter-spacing: -0.01em; color: var(--text); text-decoration: none; }
.choices { display: flex; align-items: center; gap: 10px; font-size: 0.9rem; }
.languages { display: flex; gap: 2px; padding: 2px; border-radius: 8px; background: var(--sunken); }
.languages a { white-space: nowrap; padding: 4px 10px; border-radius: 6px; color: var(--muted); text-decoration: none; }
.languages a[aria-current] { background: var(--surface); color: var(--text); font-weight: 600; }
button { font: inherit; cursor: pointer; padding: 6px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); }
button:hover { border-color: var(--muted); }
.theme { font-size: 0.9rem; padding: 4px 12px; }
.theme[aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); }
.own { padding: 5px 14px; border-radius: 8px; background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 600; white-space: nowrap; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }

main { max-width: calc(62rem + 40px); margin: 0 auto; padding: 40px 20px 64px; }
.hero { display: grid; gap: 14px; margin-bottom: 24px; }
.lead { font-size: 1.05rem; color: var(--muted); max-width: 46rem; }
.tabs { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 8px 20px; border-bottom: 1px solid var(--line); }
.tabs ul { display: flex; flex-wrap: wrap; gap: 4px 22px; list-style: none; }
.tabs li a { display: block; padding: 8px 0; margin-bottom: -1px; color: var(--muted); text-decoration: none; border-bottom: 2px solid transparent; }
.tabs li a:hover { color: var(--text); }
.tabs li a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
.tabs .other { padding: 8px 0; font-size: 0.9rem; }
.facts, .pieces { display: flex; flex-wrap: wrap; overflow: hidden; }
.facts { align-items: center; gap: 6px 28px; list-style: none; font-size: 0.9rem; color: var(--muted); }
.pieces { column-gap: 1.1em; }
.facts li, .piece { position: relative; min-width: 0; }
/* At the start of a line the separator lies outside and is clipped. */
.facts li:not(:first-child)::before { content: "·"; position: absolute; left: -16px; }
.piece:not(:first-child)::before { content: "·"; position: absolute; left: -0.75em; }
.state { display: inline-block; padding: 1px 11px; border-radius: 99px; font-size: 0.85rem; font-weight: 600; background: var(--sunken); color: var(--muted); }
.state.open, .state.done { background: var(--good-soft); color: var(--good); }
.state.before, .state.waiting_for_agent { background: var(--warn-soft); color: var(--warn); }
.state.running, .state.queued { background: var(--accent-soft); color: var(--accent); }
.state.failed { background: var(--bad-soft); color: var(--bad); }

.card { padding: 20px 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); box-shadow: var(--shadow); min-width: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 16px; margin-bottom: 20px; }
.cards .card { display: grid; gap: 8px; align-content: start; }
ul.plain { list-style: none; display: grid; gap: 4px; }
.empty { padding: 36px 0; text-align: center; }

table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 14px 12px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { padding-top: 0; padding-bottom: 10px; border: 0; color: var(--muted); font-size: 0.82rem; font-weight: 500; vertical-align: bottom; }
thead .note { font-size: inherit; display: inline; }
thead .note::before { content: "· "; }
abbr { text-decoration: none; }
.number { text-align: right; white-space: nowrap; }
thead .score { text-align: left; }
.standings { margin: -4px 0; }
.standings td.rank { width: 4rem; }
.standings td.other .range { display: block; font-size: 0.84rem; white-space: nowrap; }
.badge { display: inline-grid; place-items: center; min-width: 2rem; height: 2rem; padding: 0 6px; border-radius: 99px; background: var(--sunken); font-weight: 650; }
.place-1 .badge { background: var(--gold); color: var(--on-medal); }
.place-2 .badge { background: var(--silver); color: var(--on-medal); }
.place-3 .badge { background: var(--bronze); color: var(--on-medal); }
.rank .note { margin: 3px 0 0; min-width: 2rem; width: fit-content; text-align: center; }
.team { display: block; font-weight: 650; overflow-wrap: anywhere; }
.bar { width: 19%; min-width: 8rem; }
.score .mean { font-weight: 650; font-size: 1.05rem; }
.score .range, .scores .range { color: var(--muted); font-size: 0.9rem; }
.unit { color: var(--muted); font-size: 0.85rem; }
.when { width: 1%; white-space: nowrap; }
td.when { color: var(--muted); font-size: 0.9rem; }
td.number .note { white-space: nowrap; }
.alike > * { border-top-style: dashed; padding-top: 24px; }
tr:has(+ .alike) > * { padding-bottom: 22px; }
.alike > th { position: relative; }
.mark { position: absolute; top: -0.85rem; left: 4px; padding: 2px 11px; border-radius: 99px; background: var(--warn-soft); color: var(--warn); font-size: 0.8rem; line-height: 1.5; white-space: nowrap; }
.mark .p { padding-left: 8px; margin-left: 6px; border-left: 1px solid currentColor; }

/* Leaves space for the round line caps. */
svg.interval { display: block; width: calc(100% - 8px); height: 18px; margin: 4px 4px 0; overflow: visible; }
svg.interval .axis { stroke: var(--sunken); stroke-width: 8; stroke-linecap: round; }
svg.interval .tick { stroke: var(--surface); stroke-width: 2; }
svg.interval .range { stroke: var(--band); stroke-width: 8; stroke-linecap: round; }
svg.interval .mean { fill: var(--accent); stroke: var(--surface); stroke-width: 2; }

.reading { margin-top: 36px; max-width: 50rem; display: grid; gap: 10px; font-size: 0.92rem; color: var(--muted); }
.reading h2 { color: var(--text); }
.reading ul { padding-left: 1.2em; display: grid; gap: 6px; }

.submissions { margin-top: 18px; table-layout: fixed; }
.submissions th:nth-child(1) { width: 32%; }
.submissions th:nth-child(2) { width: 22%; }
.submissions .address { margin-top: 4px; padding: 4px 8px; max-width: fit-content; }
.cancel { margin-top: 6px; font-size: 0.9rem; }
.cancel summary { width: fit-content; color: var(--muted); cursor: pointer; }
.cancel form { display: grid; gap: 6px; justify-items: start; margin-top: 6px; }
.cancel button { color: var(--bad); }
progress { display: block; appearance: none; width: 100%; max-width: 14rem; height: 8px; margin: 8px 0 2px; border: 0; border-radius: 99px; overflow: hidden; background: var(--sunken); }
progress::-webkit-progress-bar { background: var(--sunken); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 99px; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 99px; }
.scores { display: grid; grid-template-columns: max-content minmax(0, 17rem); gap: 6px 14px; }
.scores .count { display: inline-block; white-space: nowrap; }
.scores dt { color: var(--muted); font-size: 0.9rem; line-height: 1.7; }
.quotas { grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.quotas h2 { display: flex; justify-content: space-between; gap: 12px; }
.hero.with-action { grid-template-columns: 1fr auto; align-items: start; }
.with-action .lead { grid-column: 1; }
.with-action form { grid-column: 2; grid-row: 1; }
.address { display: block; padding: 8px 12px; border-radius: 8px; background: var(--sunken); }
.sign-in, .problem { max-width: 30rem; margin: 24px auto; display: grid; gap: 14px; }
.sign-in h1, .problem h1 { font-size: 1.5rem; }
.sign-in form { display: grid; gap: 8px; }
.sign-in label { font-weight: 600; }
.sign-in input { font: inherit; padding: 9px 12px; border: 1px solid var(--muted); border-radius: 8px; background: var(--ground); color: var(--text); width: 100%; }
.sign-in button { margin-top: 8px; padding: 9px 14px; }
.wrong { padding: 8px 12px; border-radius: 8px; background: var(--bad-soft); color: var(--bad); }

@media (max-width: 54rem) {
  .wide { display: none; }
  .narrow { display: block; }
  .standings .score { padding-right: 0; }
  .standings td.score { width: 12rem; white-space: normal; }
  td.score .range { display: block; }
}
@media (max-width: 46rem) {
  h1 { font-size: 1.7rem; }
  main { padding: 24px 14px 48px; }
  .top { padding: 10px 14px; }
  .brand { flex-basis: 100%; }
  .choices { width: 100%; gap: 6px; }
  .own { margin-left: auto; }
  .card { padding: 16px; border-radius: 10px; }
  th, td { padding: 12px 8px; }
  .standings td.rank { width: 2.6rem; padding-right: 2px; }
  .standings thead .rank { font-size: 0; }
  .standings td.score { width: 6.8rem; }
  .standings .range { font-size: 0.84rem; white-space: nowrap; }
  .standings thead .note { display: none; }
  .alike > * { padding-top: 26px; }
  .mark { left: -2.6rem; padding: 2px 8px; font-size: 0.78rem; }
  .mark .p { display: none; }
  .submissions, .submissions tbody, .submissions tr, .submissions th, .submissions td { display: block; }
  .submissions thead { display: none; }
  .submissions th:nth-child(n), .submissions td { width: auto; padding: 4px 0; border: 0; }
  .submissions tr { padding: 12px 0; border-top: 1px solid var(--line); }
  .scores { grid-template-columns: 1fr; gap: 0; }
  .scores dd { margin-bottom: 8px; }
}
@media (prefers-reduced-motion: no-preference) { a, button { transition: background-color 120ms, border-color 120ms; } }
@media print { .choices, .skip { display: none; } .card { box-shadow: none; } }
`;
