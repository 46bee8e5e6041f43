import { loadPlugin } from "../registry/plugins.js";
import { createRegistries, type Registries } from "../registry/registries.js";

/** The flag of commands that have no benchmark to name plugins. */
export const PLUGIN_FLAG = [
  "--plugin <module>",
  "a plugin's file or package; may be repeated",
] as const;

/** The built-ins and what the plugins bring; paths count from the working directory. */
export async function registriesWith(plugins: readonly string[] = []): Promise<Registries> {
  const registries = createRegistries();
  for (const plugin of plugins) await loadPlugin(plugin, registries, process.cwd(), "--plugin");
  return registries;
}
