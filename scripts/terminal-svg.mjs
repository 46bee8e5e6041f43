// Renders the output of a robot-eval command as an SVG image of a terminal. Run it after `npm run build`:
//
//   node scripts/terminal-svg.mjs docs/images/run.svg run vln_challenge --agent random
//
// Only stdout is rendered: it has no times and no run ids, so the image is reproducible.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FONT_SIZE = 14;
/** Each table cell is stretched to whole columns, so that it is aligned in any font. */
const COLUMN = 8.4;
const LINE = 20;
const PADDING = 20;
const BAR = 32;

const [file, ...args] = process.argv.slice(2);
if (file === undefined || args.length === 0) {
  console.error("usage: node scripts/terminal-svg.mjs <file.svg> <robot-eval arguments...>");
  process.exit(2);
}
const command = `robot-eval ${args.join(" ")}`;
writeFileSync(file, card(command, ["", ...outputOf(args)]));

function outputOf(args) {
  const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "terminal-svg-"));
  // Write the run to a temporary folder, which is deleted.
  const out = args[0] === "run" || args[0] === "score" ? ["--out", folder] : [];
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args, ...out], {
    cwd: fileURLToPath(new URL("../", import.meta.url)),
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0) {
    console.error(stderr);
    process.exit(status ?? 1);
  }
  return stdout.trimEnd().split("\n");
}

function card(command, lines) {
  const columns = Math.max(...[`$ ${command}`, ...lines].map((line) => [...line].length));
  const width = Math.ceil(columns * COLUMN + 2 * PADDING);
  const height = BAR + (lines.length + 1) * LINE + 2 * PADDING;
  const y = (row) => BAR + PADDING + row * LINE + FONT_SIZE;
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, i) => `<circle cx="${PADDING + i * 18}" cy="${BAR / 2 + 2}" r="5" fill="${colour}"/>`,
  );
  const rows = lines.flatMap((line, i) => (line === "" ? [] : [text(line, y(i + 1), "#e6edf3")]));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(`Output of ${command}`)}</title>
<rect width="${width}" height="${height}" rx="10" fill="#22272e" stroke="#57606a"/>
${dots.join("\n")}
<g font-family="Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">
${[text(`$ ${command}`, y(0), "#8ddb8c"), ...rows].join("\n")}
</g>
</svg>
`;
}

function text(line, y, colour) {
  const cells = [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: cell, index }) => {
    const x = PADDING + [...line.slice(0, index)].length * COLUMN;
    const length = [...cell].length * COLUMN;
    return `<tspan x="${x.toFixed(1)}" textLength="${length.toFixed(1)}">${escaped(cell)}</tspan>`;
  });
  return `<text y="${y}" fill="${colour}">${cells.join("")}</text>`;
}

function escaped(line) {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
