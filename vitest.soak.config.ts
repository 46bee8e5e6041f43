import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import config from "./vitest.config.js";

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `src/${name}`);

const { projects, ...settings } = config.test ?? {};

/**
 * The property tests, each property tried many times more often than `npm test` does, and tests that take
 * longer than everybody should wait for (test/soak).
 */
export default defineConfig({
  ...config,
  test: {
    ...settings,
    include: [
      "test/soak/**/*.test.ts",
      ...files.filter((file) => readFileSync(file, "utf8").includes("fc.assert")),
    ],
    setupFiles: ["test/setup.ts", "test/soak-setup.ts"],
    testTimeout: 300_000,
  },
});
