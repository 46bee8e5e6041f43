import { relative } from "node:path";
import type { Plugin } from "vite";
import type { Reporter } from "vitest/node";

/** One line at the end of a run that says how many tests were skipped for lack of published data. */
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
    // On stderr, so that a JSON report on stdout stays whole.
    process.stderr.write(
      `\n!!! SKIPPED ${skipped} tests in ${files.size} test files: the published data of ../shared/data is missing (CONTRIBUTING.md, "Tests")\n\n`,
    );
  },
};

/** Adds the line to whatever reporters a run has: a plugin, because `--reporter` replaces those of the configuration. */
export const sharedDataReport: Plugin = {
  name: "shared-data-report",
  // Called for each project, with plugins of its own.
  configureVitest({ vitest, project }) {
    if (project === vitest.projects[0]) vitest.config.reporters.push(reporter);
  },
};
