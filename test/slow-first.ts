import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest test files, roughly the slowest first; at the end of a run they would leave cores idle. In a new clone the
 * first Python test installs packages and the first browser test installs Chromium. Each takes one core, so they do not
 * start together.
 */
const SLOW = [
  "test/e2e/python-sdk.test.ts",
  "test/e2e/manipulation.test.ts",
  "test/e2e/view-server.test.ts",
  "test/browser/dashboard.test.ts",
  "test/e2e/policy-faults.test.ts",
  "test/e2e/resume.test.ts",
  "test/browser/leaderboard.test.ts",
  "test/e2e/bridge.test.ts",
  "test/e2e/hostile-simulators.test.ts",
  "src/evaluator/check/verify-bundle.test.ts",
  "test/e2e/challenge-life.test.ts",
  "test/cluster/runs.test.ts",
  "test/e2e/challenge-queue.test.ts",
  "test/browser/live.test.ts",
  "src/simulator/remote/remote-simulator.test.ts",
  "test/e2e/bridge-geometry.test.ts",
  "test/e2e/manipulation-controls.test.ts",
  "test/e2e/foreign-runs.test.ts",
  "test/e2e/replay.test.ts",
  "test/e2e/damaged-runs.test.ts",
  "src/server/view/geometry/resimulated.test.ts",
  "test/e2e/merge.test.ts",
  "test/e2e/videos.test.ts",
  "test/e2e/cli-bundle.test.ts",
  "test/browser/bridge.test.ts",
  "test/e2e/navigation-bad-scenes.test.ts",
  "test/e2e/workers.test.ts",
  "test/e2e/policy-equality.test.ts",
  "test/e2e/init.test.ts",
  "src/generate/generate.test.ts",
];

/**
 * Starts slow files first. Vitest orders files by their cached durations, which a new clone does not have.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) => {
      // Isolated files stay first: between others they would make a worker load all shared modules again.
      if (project.config.isolate) return -1;
      const place = SLOW.indexOf(relative(this.ctx.config.root, moduleId).replaceAll("\\", "/"));
      return place === -1 ? SLOW.length : place;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
