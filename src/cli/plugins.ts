import { loadPlugin } from "../registry/plugins.js";
import { createRegistries, type Registries } from "../registry/registries.js";

/**
 * The built-ins, and what the plugins of `--plugin` register, for commands without a benchmark. Relative paths start
 * at the working directory.
 */
export async function registriesWith(plugins: readonly string[] = []): Promise<Registries> {
  const registries = createRegistries();
  for (const plugin of plugins) await loadPlugin(plugin, registries, process.cwd(), "--plugin");
  return registries;
}
