import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import config, { SOAK } from "./vitest.config.js";

/**
 * Test files with properties, each of which is tried many times more often in soak, and with samples of an exhaustive
 * test, whose other cases run in soak, or with tests that run in soak only.
 */
const deeper = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => /fc\.assert\(|\bsampled\(|\bIS_SOAK\b/.test(readFileSync(file, "utf8")));

/** Files that need modules of their own. */
const ALONE_IN_SOAK = ["test/{peers,soak}/**/*.test.ts"];

const { projects, ...settings } = config.test ?? {};
const setupFiles = ["test/setup.ts", "test/soak-setup.ts"];

/** Property tests with many more cases, and tests that are statistical, exhaustive or slow. */
export default defineConfig({
  ...config,
  test: {
    ...settings,
    testTimeout: 300_000,
    env: { ...settings.env, ROBOT_EVAL_SOAK: "1" },
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: [...SOAK, ...deeper],
          exclude: ALONE_IN_SOAK,
          isolate: false,
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE_IN_SOAK,
          setupFiles,
        },
      },
    ],
  },
});
