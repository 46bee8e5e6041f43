import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Module hooks for plugins, in the form that both `module.register` and `module.registerHooks` accept. They resolve
 * `robot-eval` to this copy from any folder, and strip types on Node versions that cannot read TypeScript.
 */

const require = createRequire(import.meta.url);
const MANIFEST = new URL("../../package.json", import.meta.url);
const { name, exports } = JSON.parse(readFileSync(MANIFEST, "utf8")) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};

/** The compiler that newer Node versions use to strip types; loaded for older ones. */
interface TypeStripper {
  transformSync(
    source: string,
    options: { readonly mode: "strip-only"; readonly filename: string },
  ): { readonly code: string };
}

/** What the compiler throws; the column counts from 0. */
interface StripProblem {
  readonly message: string;
  readonly startLine?: number;
  readonly startColumn?: number;
}

/** Node 22.18 and later strip types themselves. */
export const READS_TYPESCRIPT: boolean = Boolean(Reflect.get(process.features, "typescript"));

type Next<Context> = (what: string, context: Context) => object;

export function resolve<Context>(specifier: string, context: Context, next: Next<Context>): object {
  const own = ownEntry(specifier);
  return own === undefined
    ? next(specifier, context)
    : { url: own, format: "module", shortCircuit: true };
}

export function load<Context>(url: string, context: Context, next: Next<Context>): object {
  if (READS_TYPESCRIPT || !/^file:.*\.m?ts$/.test(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { transformSync }: TypeStripper = require("@swc/wasm-typescript");
  const source = strippedOf(filename, transformSync);
  return { format: "module", source, shortCircuit: true };
}

/** The compiler throws objects that are no errors, which would be shown as `[object Object]`. */
function strippedOf(filename: string, transformSync: TypeStripper["transformSync"]): string {
  try {
    return transformSync(readFileSync(filename, "utf8"), { mode: "strip-only", filename }).code;
  } catch (problem) {
    if (problem instanceof Error) throw problem;
    const { message, startLine, startColumn } = problem as StripProblem;
    const column = (startColumn ?? 0) + 1;
    throw new SyntaxError(`${filename}:${startLine}:${column}: ${message}`);
  }
}

/** The manifest's `exports` entry for `robot-eval` or `robot-eval/...`. */
function ownEntry(specifier: string): string | undefined {
  if (specifier !== name && !specifier.startsWith(`${name}/`)) return undefined;
  const entry = exports[`.${specifier.slice(name.length)}`];
  const file = typeof entry === "string" ? entry : entry?.default;
  return file === undefined ? undefined : new URL(file, MANIFEST).href;
}
