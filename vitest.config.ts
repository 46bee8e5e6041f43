import { transform } from "esbuild";
import { defineConfig } from "vitest/config";

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

const EVERY_TEST = ["src/**/*.test.ts", "web/src/**/*.test.ts", "test/**/*.test.ts"];

/** Those that need modules of their own: they put others in the place of modules, or have fixtures that end with the file. */
const ALONE = [
  "src/cluster/**/*.test.ts",
  "src/evaluator/output.test.ts",
  "src/server/**/*.test.ts",
  "test/{browser,cluster,soak}/**/*.test.ts",
];

export default defineConfig({
  plugins: [lowerDecorators],
  resolve: {
    // Plugins import the package by its name; in unit tests that must be the source under test, or
    // there would be two copies of every base class.
    alias: [
      { find: /^robot-eval$/, replacement: new URL("./src/index.ts", import.meta.url).pathname },
    ],
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "threads",
    // Many tests wait for processes of their own: on two cores one worker would leave half of them idle.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: EVERY_TEST,
          exclude: ALONE,
          // To load the modules for every file anew would take longer than all the tests in them.
          isolate: false,
          setupFiles: ["test/setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE,
          exclude: ["test/soak/**"],
          setupFiles: ["test/setup.ts"],
        },
      },
    ],
  },
});
