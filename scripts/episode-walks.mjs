// The files that one reads, in the order of calls, to follow an episode from the command to its line of episodes.jsonl.
// docs/architecture.md describes the same walks. `npm run count` prints their sizes.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PLAN = [
  "cli/commands/run.ts",
  "cli/run-benchmark.ts",
  "config/load.ts",
  "evaluator/evaluator.ts",
  "evaluator/plan/prepare.ts",
  "evaluator/plan/read-tasks.ts",
  "evaluator/plan/resolve-tasks.ts",
  "registry/resolved-task.ts",
  "evaluator/plan/pick-episodes.ts",
  "dataset/loader.ts",
  "evaluator/plan/jobs.ts",
];
const EXECUTE = [
  "evaluator/execute/run-episodes.ts",
  "evaluator/execute/scheduler.ts",
  "evaluator/execute/open-worker-pool.ts",
  "evaluator/execute/local-runner.ts",
  "evaluator/execute/task-session.ts",
  "evaluator/execute/episode-loop.ts",
];
const JUDGE = [
  "core/rules/judged-simulator.ts",
  "core/rules/judge.ts",
  "core/rules/compile.ts",
  "core/metric/scorer.ts",
];
const RECORD = [
  "evaluator/record/recorder.ts",
  "runs/directory/run-writer.ts",
  "runs/directory/episode-log.ts",
  "runs/summary/summary.ts",
];
const MUJOCO = [
  "simulator/manipulation/mujoco-simulator.ts",
  "simulator/manipulation/world/from-episode.ts",
  "simulator/manipulation/mjcf/model.ts",
  "simulator/manipulation/physics/physics.ts",
  "simulator/manipulation/control/controller.ts",
  "simulator/manipulation/facts/read.ts",
];

/** By kind of task. */
export const WALKS = {
  navigation: [
    ...PLAN,
    ...EXECUTE,
    "simulator/navigation/navmesh-simulator.ts",
    "simulator/navigation/scene-library.ts",
    "simulator/navigation/scene-distance.ts",
    "tasks/vln/task.ts",
    "tasks/explain-navigation.ts",
    "core/metric/scorer.ts",
    "metrics/navigation/success.ts",
    ...RECORD,
  ],
  manipulation: [
    ...PLAN,
    ...EXECUTE,
    ...MUJOCO,
    "tasks/manipulation/task.ts",
    "tasks/rules/grasp-and-lift.ts",
    ...JUDGE,
    "metrics/manipulation/manip-success.ts",
    ...RECORD,
  ],
  rearrangement: [
    ...PLAN,
    ...EXECUTE,
    ...MUJOCO,
    "simulator/manipulation/apartment/apartment-world.ts",
    "tasks/rearrange/task.ts",
    "tasks/rules/rearranged.ts",
    ...JUDGE,
    "metrics/manipulation/partial-success.ts",
    ...RECORD,
  ],
  "frozen world": [
    ...PLAN,
    ...EXECUTE,
    "simulator/frozen/frozen-simulator.ts",
    "simulator/frozen/worlds.ts",
    "simulator/frozen/world-files.ts",
    "simulator/frozen/control/robot-controller.ts",
    "simulator/frozen/readings.ts",
    "tasks/manipulation/task.ts",
    ...JUDGE,
    "metrics/manipulation/manip-success.ts",
    ...RECORD,
  ],
};

/** Implementations that registries find by name, which their callers do not import. */
const REGISTERED =
  /^(simulator\/(navigation\/navmesh|manipulation\/mujoco|frozen\/frozen)-simulator|tasks|metrics)/;

/** Number of steps from one file to the next that change the top-level folder of `src`. */
export function crossings(walk) {
  const folders = walk.map((file) => file.split("/")[0]);
  return folders.filter((folder, i) => i > 0 && folder !== folders[i - 1]).length;
}

/** What is wrong with the walks: missing files, and files that neither another one imports nor a registry names. */
export function walkProblems(root) {
  return Object.entries(WALKS).flatMap(([kind, walk]) => {
    const missing = walk.filter((file) => !existsSync(join(root, "src", file)));
    if (missing.length > 0) return missing.map((file) => `${kind}: src/${file} does not exist`);
    const imported = new Set(walk.flatMap((file) => importsOf(root, file)));
    return walk
      .slice(1)
      .filter((file) => !imported.has(file) && !REGISTERED.test(file))
      .map((file) => `${kind}: no other file of the walk imports src/${file}`);
  });
}

function importsOf(root, file) {
  const text = readFileSync(join(root, "src", file), "utf8");
  return [...text.matchAll(/["'](\.\.?\/[^"']+)\.js["']/g)].map(([, path]) =>
    join(dirname(file), `${path}.ts`),
  );
}
