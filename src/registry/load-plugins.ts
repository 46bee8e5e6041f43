import type { LoadedConfig } from "../config/load.js";
import { resolvePath } from "../config/paths.js";
import { loadPlugin } from "./plugins.js";
import type { Registries } from "./registries.js";

/** Loads the plugins that a benchmark names. */
export function loadPlugins(loaded: LoadedConfig, registries: Registries): Promise<void> {
  return loadEach(loaded, registries, (name) => name);
}

/** Loads the plugins of a recorded benchmark; their paths may be relative to another folder. */
export function loadRunPlugins(loaded: LoadedConfig, registries: Registries): Promise<void> {
  return loadEach(loaded, registries, (name) =>
    name.startsWith(".") ? resolvePath(loaded, name) : name,
  );
}

async function loadEach(
  loaded: LoadedConfig,
  registries: Registries,
  found: (name: string) => string,
): Promise<void> {
  for (const [i, name] of loaded.config.plugins.entries()) {
    await loadPlugin(found(name), registries, loaded.baseDir, loaded.locate(["plugins", i]));
  }
}
