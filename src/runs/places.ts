/** Settings that say where something is. Files are known by their content, and may stand elsewhere by now. */
const PLACES = new Set([
  "data_path",
  "gt_path",
  "connectivity",
  "scenes",
  "plugins",
  "log_dir",
  "trajectories_dir",
]);

/** @param key with dots, as `configDifferences` gives it */
export function isPlace(key: string): boolean {
  return PLACES.has(key.split(".").at(-1) ?? "");
}
