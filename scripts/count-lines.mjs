// Size of the code without tests: `npm run count [root]`. Compare two revisions before and after a change.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "vite";
import { crossings, WALKS, walkProblems } from "./episode-walks.mjs";

const FOLDERS = ["src", "web/src"];
const MOST_FILES = 30;
const SHORT_LINES = 30;
const LISTED = 10;

const root = process.argv[2] ?? fileURLToPath(new URL("../", import.meta.url));
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => /\.(tsx?|js)$/.test(name) && !/\.(test|fixture)\.tsx?$/.test(name)),
).map((name) => {
  const text = readFileSync(join(root, name), "utf8");
  return { name, text, lines: lineOf(text, text.length) - (text.endsWith("\n") ? 1 : 0) };
});

/** The line number, from 1, of a character of the text. */
function lineOf(text, offset) {
  return text.slice(0, offset).split("\n").length;
}

/** Every function, method and arrow function of a file with the lines that it spans. */
function functionsOf({ name, text }) {
  const found = [];
  const add = (node) => {
    const first = lineOf(text, node.start);
    found.push({ name: `${name}:${first}`, lines: lineOf(text, node.end) - first + 1 });
  };
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(parseSync(name, text).program);
  return found;
}

function exportedNames(name) {
  const { module } = parseSync(name, readFileSync(join(root, name), "utf8"));
  return module.staticExports.flatMap((statement) => statement.entries).length;
}

const sum = (list) => list.reduce((total, file) => total + file.lines, 0);
const longest = (list) => [...list].sort((a, b) => b.lines - a.lines).slice(0, LISTED);
const perFolder = new Map();
for (const { name } of files) perFolder.set(dirname(name), (perFolder.get(dirname(name)) ?? 0) + 1);
const full = [...perFolder].filter(([, count]) => count > MOST_FILES);
const short = files.filter((file) => file.lines < SHORT_LINES);
const rows = (list) => list.map(({ name, lines }) => `  ${String(lines).padStart(5)}  ${name}`);

console.log(
  [
    ...FOLDERS.map((folder) => {
      const list = files.filter((file) => file.name.startsWith(`${folder}/`));
      return `${folder}: ${sum(list)} lines in ${list.length} files`;
    }),
    `total: ${sum(files)} lines in ${files.length} files`,
    `files under ${SHORT_LINES} lines: ${short.length}`,
    `exported names of src/index.ts: ${exportedNames("src/index.ts")}`,
    `folders with more than ${MOST_FILES} files: ${full.length}`,
    ...rows(full.map(([name, lines]) => ({ name, lines }))),
    "the walk of an episode: files, changes of the top-level folder",
    ...Object.entries(WALKS).map(
      ([kind, walk]) => `  ${kind}: ${walk.length} files, ${crossings(walk)} changes`,
    ),
    ...walkProblems(root).map((problem) => `  ${problem}`),
    "longest files",
    ...rows(longest(files)),
    "longest functions",
    ...rows(longest(files.flatMap(functionsOf))),
  ].join("\n"),
);
