import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError, errorMessage } from "../core/errors.js";
import type { Registries } from "./registries.js";

/** What a plugin module exports as its default: it adds what it brings to the set it is given. */
export type Plugin = (registries: Registries) => void | Promise<void>;

/**
 * Loads a plugin named in a benchmark's `plugins:`: a path relative to the benchmark file, or a
 * package that is installed where the benchmark or the working directory is.
 */
export async function loadPlugin(
  name: string,
  registries: Registries,
  baseDir: string,
  where: string,
): Promise<void> {
  const url = locate(name, baseDir, where);
  let module: { readonly default?: unknown };
  try {
    module = await import(url);
  } catch (cause) {
    throw new ConfigError(
      "bad_plugin",
      `the plugin "${name}" does not load: ${errorMessage(cause)}`,
      {
        where,
        cause,
      },
    );
  }
  if (typeof module.default !== "function") {
    throw new ConfigError("bad_plugin", `the plugin "${name}" has no default export to call`, {
      where,
      hint: "export default (registries) => { registries.metrics.register(...)(...) }",
    });
  }
  await (module.default as Plugin)(registries);
}

function locate(name: string, baseDir: string, where: string): string {
  if (name.startsWith(".") || isAbsolute(name)) {
    const path = resolve(baseDir, name);
    if (existsSync(path)) return pathToFileURL(path).href;
    throw new ConfigError("missing_plugin", `there is no plugin file ${path}`, { where });
  }
  for (const folder of [baseDir, process.cwd()]) {
    try {
      return pathToFileURL(createRequire(join(folder, "plugin.js")).resolve(name)).href;
    } catch (error) {
      // A package for `import` alone cannot be resolved from here, but Node can still import it.
      if (codeOf(error) === "ERR_PACKAGE_PATH_NOT_EXPORTED") return name;
      // Otherwise it is not installed there; the next folder may have it.
    }
  }
  throw new ConfigError("missing_plugin", `the plugin package "${name}" is not installed`, {
    where,
    hint: `npm install ${name}, or name a file: ./${name}.js`,
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
