import type { LoadedConfig } from "../config/load.js";
import { resolvePath } from "../config/paths.js";
import { loadPlugin } from "../registry/plugins.js";
import type { Registries } from "../registry/registries.js";

/** The plugins that a recorded benchmark names; those in files may have been named from another folder. */
export async function loadRunPlugins(loaded: LoadedConfig, registries: Registries): Promise<void> {
  for (const [i, name] of loaded.config.plugins.entries()) {
    const plugin = name.startsWith(".") ? resolvePath(loaded, name) : name;
    await loadPlugin(plugin, registries, loaded.baseDir, loaded.locate(["plugins", i]));
  }
}
