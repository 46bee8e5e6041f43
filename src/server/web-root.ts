import { fileURLToPath } from "node:url";

/** Folder of the built page, next to this folder in the build. */
export const WEB_ROOT = fileURLToPath(new URL("../web", import.meta.url));
