import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import config from "./vitest.config.js";

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `src/${name}`);

/** The property tests alone, each property tried many times more often than `npm test` does. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: files.filter((file) => readFileSync(file, "utf8").includes("fc.assert")),
    setupFiles: ["test/soak-setup.ts"],
    testTimeout: 300_000,
  },
});
