import { realpathSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";
import { load, READS_TYPESCRIPT, resolve } from "./plugin-hooks.js";

let isReady = false;

/**
 * Installs the hooks of `plugin-hooks.ts` if a plugin needs them: it is TypeScript and this Node cannot read that, or
 * `robot-eval` is not resolvable from its folder, or resolves to another copy with different classes. Other plugins
 * are imported without hooks, which cost about 50 ms in Node 20.
 */
export function prepareImports(url: string): void {
  // When running from source, the transforming tool also handles imports.
  if (isReady || import.meta.url.endsWith(".ts")) return;
  const needsTypes = /\.m?ts$/.test(url) && !READS_TYPESCRIPT;
  if (!needsTypes && findsThisCopy(url)) return;
  isReady = true;
  // Node 20 has only the older function, which newer versions deprecate.
  const { registerHooks } = module as { readonly registerHooks?: (hooks: object) => void };
  if (registerHooks) registerHooks({ load, resolve });
  else module.register(new URL("./plugin-hooks.js", import.meta.url));
}

function findsThisCopy(url: string): boolean {
  try {
    const found = realpathSync(module.createRequire(url).resolve("robot-eval"));
    return found === realpathSync(fileURLToPath(new URL("../index.js", import.meta.url)));
  } catch {
    return false;
  }
}
