import { loadAndPlan } from "../evaluator/plan/inspect.js";
import { jobsOf } from "../evaluator/plan/jobs.js";
import { programRegistries } from "../registry/default.js";
import type { RunFlags } from "./commands/run.js";
import { printResult, table } from "./output.js";
import { ResultRequirements } from "./run-with-progress.js";
import { hasErrors, tellProblems } from "./world-problems.js";

/** `run --dry-run`: prepares the run with all its flags, and checks what its episodes need. Nothing is written. */
export async function dryRun(file: string, flags: RunFlags): Promise<void> {
  const { agent, seed, limit, first, filter, shard, set = [] } = flags;
  const selection = { agent, seed, limit, first, filter, shard };
  const { plan, problems } = await loadAndPlan(file, {
    ...selection,
    set,
    registries: programRegistries(),
  });
  new ResultRequirements(flags).onPlan(plan);
  const tasks = plan.tasks.map(({ task, simulatorName, agentRef, episodes }) => ({
    name: task.name,
    simulator: simulatorName,
    agent: agentRef.name,
    episodes: episodes.length,
    scenes: new Set(episodes.map(({ sceneId }) => sceneId)).size,
  }));
  const report = {
    dry_run: true,
    runs: !hasErrors(problems),
    agent: plan.agentSpec,
    seed: plan.seed,
    /** With repeats. */
    episodes: jobsOf(plan).length,
    tasks,
    warnings: plan.warnings,
    problems,
  };
  printResult(flags.json, report, () => {
    const rows = tasks.map(({ name, simulator, agent: own, episodes, scenes }) => [
      ...[name, simulator, own, String(episodes), String(scenes)],
    ]);
    return [
      table(["task", "simulator", "agent", "episodes", "scenes"], rows),
      `${report.episodes} episodes ${report.runs ? "can run" : "would be started"}; nothing was run`,
    ].join("\n");
  });
  tellProblems(problems);
}
