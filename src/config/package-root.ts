import { fileURLToPath } from "node:url";

/** The package's own folder, in a checkout or installed: it holds `configs/`, `data/` and `python/`. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../", import.meta.url));
