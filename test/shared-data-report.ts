import { relative } from "node:path";
import type { Plugin } from "vite";
import type { Reporter } from "vitest/node";

/** Prints how many tests were skipped because the published data is missing. */
const reporter: Reporter = {
  onTestRunEnd(modules) {
    const files = new Set<string>();
    let skipped = 0;
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        if (!test.meta().needsSharedData) continue;
        skipped++;
        files.add(relative(process.cwd(), module.moduleId));
      }
    }
    if (skipped === 0) return;
    // On stderr, so that a JSON report on stdout stays valid.
    process.stderr.write(
      `\n!!! SKIPPED ${skipped} tests in ${files.size} test files: the published data of ../shared/data is missing (CONTRIBUTING.md, "Tests")\n\n`,
    );
  },
};

/** Adds the reporter as a plugin, because `--reporter` replaces the configured reporters. */
export const sharedDataReport: Plugin = {
  name: "shared-data-report",
  // Called once per project; the reporter is added once.
  configureVitest({ vitest, project }) {
    if (project === vitest.projects[0]) vitest.config.reporters.push(reporter);
  },
};
