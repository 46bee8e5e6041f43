import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../shared/data/", import.meta.url);

/** Published data that is not part of this repository, in `../shared/data` beside it. */
export const hasSharedData = existsSync(root);

if (!hasSharedData && process.env.CI) {
  throw new Error("../shared/data is missing: under CI the tests on published data must run");
}

/** Absolute path of a file of the published data. */
export function sharedData(path: string): string {
  return fileURLToPath(new URL(path, root));
}
