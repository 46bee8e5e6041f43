import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { LoadedConfig } from "../config/load.js";
import { resolvePath } from "../config/paths.js";
import { ConfigError, errorCode, errorMessage, RobotEvalError } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import { assertRobot } from "../robots/check.js";
import { prepareImports } from "./plugin-imports.js";
import type { Registries } from "./registries.js";

/**
 * The default export of a plugin module: adds to the given registries. A module with a robot only may export its
 * descriptor instead.
 */
export type Plugin = (registries: Registries) => void | Promise<void>;

/** Plugins loaded into each set of registries, to load each once: the same benchmark may be run and then scored. */
const loadedInto = new WeakMap<Registries, Set<string>>();

/** Loads the plugins that a benchmark names. */
export async function loadPlugins(loaded: LoadedConfig, registries: Registries): Promise<void> {
  for (const [i, name] of loaded.config.plugins.entries()) {
    await loadPlugin(name, registries, loaded.baseDir, loaded.locate(["plugins", i]));
  }
}

/** Loads the plugins of a recorded benchmark; their paths may be relative to another folder. */
export function loadRunPlugins(loaded: LoadedConfig, registries: Registries): Promise<void> {
  const plugins = loaded.config.plugins.map((name) =>
    name.startsWith(".") ? resolvePath(loaded, name) : name,
  );
  return loadPlugins({ ...loaded, config: { ...loaded.config, plugins } }, registries);
}

/**
 * Loads a plugin from a benchmark's `plugins:`: a path relative to the benchmark file, or a package installed for the
 * benchmark's folder or the working directory.
 */
export async function loadPlugin(
  name: string,
  registries: Registries,
  baseDir: string,
  where: string,
): Promise<void> {
  const url = locate(name, baseDir, where);
  const loaded = loadedInto.get(registries) ?? new Set();
  if (loaded.has(url)) return;
  loadedInto.set(registries, loaded.add(url));
  let module: { readonly default?: unknown };
  try {
    prepareImports(url);
    module = await import(url);
  } catch (cause) {
    throw pluginError(name, "does not load", where, cause, commonJsHint(url, cause));
  }
  const exported = module.default;
  if (typeof exported !== "function" && !isRobot(exported)) {
    throw new ConfigError("bad_plugin", `the plugin "${name}" has no default export to call`, {
      where,
      hint: "export default (registries) => { registries.metrics.register(...)(...) }",
    });
  }
  try {
    if (isRobot(exported)) registerRobot(registries, exported);
    else await (exported as Plugin)(registries);
  } catch (cause) {
    throw pluginError(name, "failed", where, cause);
  }
}

/** True for a robot descriptor, which is a plugin by itself. */
function isRobot(exported: unknown): exported is { readonly robotType: unknown } {
  return isRecord(exported) && "robotType" in exported;
}

function registerRobot({ robots }: Registries, robot: unknown): void {
  assertRobot(robot);
  robots.register(robot.robotType, robot);
}

function pluginError(
  name: string,
  how: string,
  where: string,
  cause: unknown,
  hint?: string,
): ConfigError {
  const ours = cause instanceof RobotEvalError ? cause : undefined;
  const message = `the plugin "${name}" ${how}: ${ours?.message ?? errorMessage(cause)}`;
  return new ConfigError(ours?.code ?? "bad_plugin", message, {
    where,
    hint: ours?.hint ?? hint,
    cause,
  });
}

/** Explains the syntax error of an ES module in a `.js` file that Node reads as CommonJS, as `npm init` sets it. */
function commonJsHint(url: string, cause: unknown): string | undefined {
  const isModuleSyntax =
    cause instanceof SyntaxError && /outside a module|token 'export'/.test(cause.message);
  if (!isModuleSyntax || !url.endsWith(".js")) return undefined;
  return 'Node.js reads this file as CommonJS: name it .mjs, or set "type": "module" in the nearest package.json';
}

function locate(name: string, baseDir: string, where: string): string {
  if (name.startsWith(".") || isAbsolute(name)) {
    const path = resolve(baseDir, name);
    if (existsSync(path)) return pathToFileURL(path).href;
    throw new ConfigError("missing_plugin", `the plugin file ${path} does not exist`, {
      where,
      hint: `write the path relative to ${baseDir}`,
    });
  }
  for (const folder of [baseDir, process.cwd()]) {
    const require = createRequire(join(folder, "plugin.js"));
    try {
      return pathToFileURL(require.resolve(name)).href;
    } catch (error) {
      // `require` cannot resolve a package with only `import` conditions; read its manifest.
      if (errorCode(error) === "ERR_PACKAGE_PATH_NOT_EXPORTED") {
        return importEntry(name, require.resolve.paths(name) ?? []) ?? name;
      }
      // Not installed in this folder; try the next one.
    }
  }
  throw new ConfigError("missing_plugin", `the plugin package "${name}" is not installed`, {
    where,
    hint: /\.[cm]?[jt]s$/.test(name)
      ? `for a file, write ./${name}`
      : `run npm install ${name}, or write a file: ./${name}.js`,
  });
}

/** The `import` entry of `exports`, from the first folder that has the package. */
function importEntry(name: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const manifest = join(folder, name, "package.json");
    if (!existsSync(manifest)) continue;
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as {
      readonly exports?: unknown;
    };
    const root = isRecord(exports) && "." in exports ? exports["."] : exports;
    const entry = underConditions(root);
    if (entry !== undefined) return pathToFileURL(join(folder, name, entry)).href;
  }
  return undefined;
}

function underConditions(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (!isRecord(target)) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (!["node", "import", "default"].includes(condition)) continue;
    const found = underConditions(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
