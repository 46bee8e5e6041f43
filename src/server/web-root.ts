import { fileURLToPath } from "node:url";

/** The built page, beside this folder in what is built. */
export const WEB_ROOT = fileURLToPath(new URL("../web", import.meta.url));
