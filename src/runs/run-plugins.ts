import type { LoadedConfig } from "../config/load.js";
import { resolvePath } from "../config/paths.js";
import { loadPlugin } from "../registry/plugins.js";
import type { Registries } from "../registry/registries.js";

/** The plugins that a benchmark names, as it names them. */
export function loadPlugins(loaded: LoadedConfig, registries: Registries): Promise<void> {
  return loadEach(loaded, registries, (name) => name);
}

/** The plugins that a recorded benchmark names; those in files may have been named from another folder. */
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
