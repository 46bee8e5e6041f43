import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { defineConfig } from "vitest/config";
import { sharedDataReport } from "./test/shared-data-report.js";
import { SlowFirst } from "./test/slow-first.js";

// Vite's own transformer leaves standard decorators in place and Node 20 cannot parse them, so the
// few test files that use them are lowered first.
const lowerDecorators = {
  name: "lower-decorators",
  enforce: "pre" as const,
  async transform(code: string, id: string) {
    if (!/\.ts$/.test(id) || !/^\s*@[\w.]+\(/m.test(code) || id.includes("node_modules"))
      return null;
    const out = await transform(code, {
      loader: "ts",
      target: "es2022",
      sourcemap: true,
      sourcefile: id,
    });
    return { code: out.code, map: out.map };
  },
};

/** Statistical, exhaustive and slow tests, and those that install other projects. `npm run soak` runs them. */
export const SOAK = ["src/**/*.soak.test.ts", "test/{peers,soak}/**/*.test.ts"];

const EVERY_TEST = ["src/**/*.test.ts", "web/src/**/*.test.ts", "test/**/*.test.ts"];

/** Files that need modules of their own, because they replace some. */
const ALONE = ["src/evaluator/output.test.ts", "test/{peers,portability,soak}/**/*.test.ts"];

export default defineConfig({
  plugins: [lowerDecorators, sharedDataReport],
  resolve: {
    // Plugins import the package by its name; in unit tests that must be the source under test, or
    // there would be two copies of every base class.
    alias: [
      {
        find: /^robot-eval$/,
        replacement: fileURLToPath(new URL("./src/index.ts", import.meta.url)),
      },
    ],
  },
  test: {
    testTimeout: 180_000,
    // A separate key for marking runs, so that tests leave the user's own key unchanged.
    env: {
      XDG_STATE_HOME: new URL("./node_modules/.cache/robot-eval-tests", import.meta.url).pathname,
    },
    hookTimeout: 180_000,
    // The default of 1 s is too short on a loaded machine; a condition that holds ends the wait at once.
    expect: { poll: { timeout: 30_000 } },
    pool: "threads",
    // Tests that wait for processes, timeouts and browsers leave their core to others.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: EVERY_TEST,
          exclude: [...ALONE, ...SOAK],
          // Loading the modules again for every file would take longer than the tests.
          isolate: false,
          setupFiles: ["test/setup.ts", "test/quick-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE,
          exclude: SOAK,
          setupFiles: ["test/setup.ts"],
        },
      },
    ],
  },
});
