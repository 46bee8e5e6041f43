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
  const { code } = transformSync(readFileSync(filename, "utf8"), { mode: "strip-only", filename });
  return { format: "module", source: code, shortCircuit: true };
}

/** The manifest's `exports` entry for `robot-eval` or `robot-eval/...`. */
function ownEntry(specifier: string): string | undefined {
  if (specifier !== name && !specifier.startsWith(`${name}/`)) return undefined;
  const entry = exports[`.${specifier.slice(name.length)}`];
  const file = typeof entry === "string" ? entry : entry?.default;
  return file === undefined ? undefined : new URL(file, MANIFEST).href;
}
