import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take longest, the longest first. Those at the end of a run would leave cores idle. */
const SLOW = [
  "test/e2e/python-sdk.test.ts",
  "test/browser/dashboard.test.ts",
  "test/e2e/manipulation.test.ts",
  "test/e2e/policy-faults.test.ts",
  "test/e2e/challenge-database.test.ts",
  "test/e2e/resume.test.ts",
  "test/e2e/view-server.test.ts",
  "test/cluster/kill.test.ts",
  "test/e2e/order-free.test.ts",
  "test/e2e/bridge.test.ts",
  "test/e2e/challenge-faults.test.ts",
  "test/e2e/challenge-life.test.ts",
  "test/browser/leaderboard.test.ts",
  "test/browser/live.test.ts",
  "test/e2e/challenge-queue.test.ts",
  "test/e2e/challenge-queue-restart.test.ts",
  "test/e2e/foreign-runs.test.ts",
  "test/e2e/cli-export.test.ts",
  "test/e2e/merge.test.ts",
  "test/e2e/workers.test.ts",
  "src/evaluator/check/verify-bundle.test.ts",
  "test/e2e/early-stop.test.ts",
  "test/e2e/manipulation-controls.test.ts",
  "src/generate/generate.test.ts",
];

/**
 * Vitest's own order is by the durations that it remembers, which a new clone has none of. This one starts the slow
 * files first there too.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      // Files with modules of their own stay first: between others they would make a worker load everything again.
      if (project.config.isolate) return -1;
      const place = SLOW.indexOf(relative(this.ctx.config.root, moduleId).replaceAll("\\", "/"));
      return place === -1 ? SLOW.length : place;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
