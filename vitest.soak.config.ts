import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import config, { SOAK } from "./vitest.config.js";

/** Test files with properties: in soak each property is tried many times more often. */
const properties = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => readFileSync(file, "utf8").includes("fc.assert"));

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
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: [...SOAK, ...properties],
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
