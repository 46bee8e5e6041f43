import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError, errorCode, errorMessage, RobotEvalError } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import { assertRobot } from "../robots/check.js";
import type { Registries } from "./registries.js";

/**
 * What a plugin module exports as its default: it adds what it brings to the set it is given. A module that
 * brings a robot and nothing else may export its descriptor instead.
 */
export type Plugin = (registries: Registries) => void | Promise<void>;

/** A set that has a plugin already is not given it again: the same benchmark may be run, then scored. */
const loadedInto = new WeakMap<Registries, Set<string>>();

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
  const loaded = loadedInto.get(registries) ?? new Set();
  if (loaded.has(url)) return;
  loadedInto.set(registries, loaded.add(url));
  let module: { readonly default?: unknown };
  try {
    module = await import(url);
  } catch (cause) {
    throw pluginError(name, "does not load", where, cause);
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

/** A robot is data: its descriptor is a plugin by itself. */
function isRobot(exported: unknown): exported is { readonly robotType: unknown } {
  return isRecord(exported) && "robotType" in exported;
}

function registerRobot({ robots }: Registries, robot: unknown): void {
  assertRobot(robot);
  robots.register(robot.robotType, robot);
}

function pluginError(name: string, how: string, where: string, cause: unknown): ConfigError {
  const ours = cause instanceof RobotEvalError ? cause : undefined;
  const message = `the plugin "${name}" ${how}: ${ours?.message ?? errorMessage(cause)}`;
  return new ConfigError(ours?.code ?? "bad_plugin", message, { where, hint: ours?.hint, cause });
}

function locate(name: string, baseDir: string, where: string): string {
  if (name.startsWith(".") || isAbsolute(name)) {
    const path = resolve(baseDir, name);
    if (existsSync(path)) return pathToFileURL(path).href;
    throw new ConfigError("missing_plugin", `there is no plugin file ${path}`, {
      where,
      hint: `the path counts from ${baseDir}`,
    });
  }
  for (const folder of [baseDir, process.cwd()]) {
    const require = createRequire(join(folder, "plugin.js"));
    try {
      return pathToFileURL(require.resolve(name)).href;
    } catch (error) {
      // `require` cannot enter a package that is for `import` alone; its manifest says where it begins.
      if (errorCode(error) === "ERR_PACKAGE_PATH_NOT_EXPORTED") {
        return importEntry(name, require.resolve.paths(name) ?? []) ?? name;
      }
      // Otherwise it is not installed there; the next folder may have it.
    }
  }
  throw new ConfigError("missing_plugin", `the plugin package "${name}" is not installed`, {
    where,
    hint: `npm install ${name}, or name a file: ./${name}.js`,
  });
}

/** What `exports` offers to `import`, in the first folder that has the package. */
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
