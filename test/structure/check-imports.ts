import { posix } from "node:path";
import { parseSync, Visitor } from "vite";
import { ACYCLIC, CORE, EXCEPTIONS, LAYERS, WEB_TYPES } from "./layers.js";

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Import {
  readonly file: string;
  readonly line: number;
  /** A path from the root of the repository, or the name of a package. */
  readonly target: string;
  readonly isType: boolean;
}

/** Every violation of the rules in layers.ts, as `file:line imports X, ...`. */
export function checkImports(files: readonly SourceFile[]): string[] {
  const parsed = files.map((file) => ({ ...file, ...parse(file) }));
  const imports = parsed.flatMap((file) => file.imports);
  return [
    ...imports.flatMap((found) => {
      const problem = problemOf(found);
      return problem === undefined ? [] : `${placeOf(found)}, ${problem}`;
    }),
    ...parsed.flatMap(({ path, uses }) => (path.startsWith("src/core/") ? uses : [])),
    ...ACYCLIC.flatMap((folder) => circlesIn(folder, imports)),
  ];
}

function placeOf({ file, line, target }: Import): string {
  return `${file}:${line} imports ${target}`;
}

function problemOf({ file, target, isType }: Import): string | undefined {
  if (file.startsWith("web/")) {
    if (!target.startsWith("src/") || (isType && WEB_TYPES.includes(target))) return undefined;
    return `web may import only types of ${WEB_TYPES.join(", ")}`;
  }
  const from = folderOf(file);
  if (from === "core" && !target.startsWith("src/") && !CORE.packages.includes(target))
    return `core may import no package but ${CORE.packages.join(", ")}`;
  if (!target.startsWith("src/")) return undefined;
  const to = folderOf(target);
  if (from === to) return undefined;
  const [own, other] = [layerOf(from), layerOf(to)];
  if (own < 0) return `${from} has no layer in test/structure/layers.ts`;
  const isException = EXCEPTIONS.some(
    ({ folder, imports }) => file.startsWith(`src/${folder}/`) && imports === to,
  );
  return other < own || isException ? undefined : `${from} may not import ${to}`;
}

/** `core` of src/core/errors.ts, `index.ts` of src/index.js. */
function folderOf(path: string): string {
  const [, name = "", ...rest] = path.split("/");
  return rest.length > 0 ? name : name.replace(/\.js$/, ".ts");
}

function layerOf(folder: string): number {
  return LAYERS.findIndex((row) => row.includes(folder));
}

function parse({ path, text }: SourceFile): { imports: Import[]; uses: string[] } {
  const imports: Import[] = [];
  const uses: string[] = [];
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const add = (node: { start: number }, source: unknown, isType: boolean) => {
    // An import whose name is known only at run time loads a plugin.
    if (typeof source !== "string") return;
    const isOwn = source.startsWith(".");
    const target = isOwn ? posix.join(posix.dirname(path), source) : source;
    imports.push({ file: path, line: lineOf(node.start), target, isType });
  };
  const use = (node: { start: number }, name: string) => {
    uses.push(`${path}:${lineOf(node.start)} uses ${name}, core may not`);
  };
  // Property names are not globals: `step.process`, `{ process: 1 }`. Parents are visited first.
  const properties = new Set<number>();
  const named = ({ key, computed }: { key: { start: number }; computed: boolean }) => {
    if (!computed) properties.add(key.start);
  };
  new Visitor({
    ImportDeclaration: (node) => add(node, node.source.value, node.importKind === "type"),
    ExportNamedDeclaration: (node) => add(node, node.source?.value, node.exportKind === "type"),
    ExportAllDeclaration: (node) => add(node, node.source.value, node.exportKind === "type"),
    ImportExpression: (node) =>
      add(node, node.source.type === "Literal" ? node.source.value : undefined, false),
    TSImportType: (node) => add(node, node.source.value, true),
    MemberExpression: (node) => {
      const name = text.slice(node.start, node.end);
      if (CORE.calls.includes(name)) use(node, name);
      named({ key: node.property, computed: node.computed });
    },
    Property: (node) => node.shorthand || named(node),
    PropertyDefinition: named,
    MethodDefinition: named,
    TSPropertySignature: named,
    TSMethodSignature: named,
    Identifier: (node) => {
      if (CORE.globals.includes(node.name) && !properties.has(node.start)) use(node, node.name);
    },
  }).visit(program);
  return { imports, uses };
}

/** The imports that form a cycle between subfolders. */
function circlesIn(folder: string, imports: readonly Import[]): string[] {
  const folderIn = (path: string) => {
    const [first = "", ...rest] = path.startsWith(`${folder}/`)
      ? path.slice(folder.length + 1).split("/")
      : [];
    return rest.length > 0 ? first : undefined;
  };
  const edges = imports.flatMap((found) => {
    const [from, to] = [folderIn(found.file), folderIn(found.target)];
    return from === undefined || to === undefined || from === to ? [] : [{ found, from, to }];
  });
  const wayTo = (from: string, goal: string, seen: readonly string[]): string[] | undefined => {
    if (from === goal) return [...seen, goal];
    if (seen.includes(from)) return undefined;
    const next = new Set(edges.flatMap((edge) => (edge.from === from ? edge.to : [])));
    for (const to of next) {
      const way = wayTo(to, goal, [...seen, from]);
      if (way) return way;
    }
    return undefined;
  };
  return edges.flatMap(({ found, from, to }) => {
    const way = wayTo(to, from, []);
    return way ? `${placeOf(found)}, a circle: ${[from, ...way].join(" -> ")}` : [];
  });
}
