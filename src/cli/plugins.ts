import { loadPlugin } from "../registry/plugins.js";
import { createRegistries, type Registries } from "../registry/registries.js";

/**
 * The built-ins and what the plugins of `--plugin` bring, for commands that have no benchmark to name them. Paths
 * count from the working directory.
 */
export async function registriesWith(plugins: readonly string[] = []): Promise<Registries> {
  const registries = createRegistries();
  for (const plugin of plugins) await loadPlugin(plugin, registries, process.cwd(), "--plugin");
  return registries;
}
