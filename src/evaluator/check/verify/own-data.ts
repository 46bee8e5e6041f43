import { loadConfig } from "../../../config/load.js";
import type { RunInfo } from "../../../core/interfaces/result.js";
import { programRegistries } from "../../../registry/default.js";
import { limitDraws } from "../../../runs/recorded/recorded-config.js";
import { jobsOf, keyOf, lineNameOf } from "../../plan/jobs.js";
import { prepareRun, type RunPlan, type TaskPlan } from "../../plan/prepare.js";
import { earlyStops } from "../../record/recorder.js";
import type { Checked, OwnSelection } from "./documents.js";
import { type LinesByTask, newTaskLines, sumOf, type TaskLines } from "./read-lines.js";

/**
 * The plan that the run should have had: the checker's benchmark, settings and selection. Nothing from the run
 * enters, since the maker of a bundle could have kept only the successful episodes.
 */
export async function ownPlan(
  { run, info }: Checked,
  benchmark: string | undefined,
  { set = [], ...selection }: OwnSelection,
): Promise<RunPlan | undefined> {
  if (benchmark === undefined) return undefined;
  return prepareRun(loadConfig(benchmark, { set }), {
    registries: programRegistries(),
    // No agent acts, so no policy server is needed.
    agent: `replay:${run.path}`,
    ...selection,
    // Neither meaning of a limit depends on results.
    limitDraws: limitDraws(info),
  });
}

/** Comparison of a run's lines with the episodes that the checker's benchmark selects. */
export interface AgainstOwn {
  /** Lines of other episodes, or too many lines. */
  readonly problems: readonly string[];
  /** Expected number of results. */
  readonly expected: number;
  /** Names of the first missing ones. */
  readonly missing: readonly string[];
}

/** Uses only the checker's selection: the digests and the selection in a bundle can be forged. */
export function againstOwn(own: RunPlan, info: RunInfo, tasks: LinesByTask): AgainstOwn {
  const names = new Set(own.tasks.map(({ task }) => task.name));
  const unknown = [...tasks.keys()].filter((task) => !names.has(task));
  const compared = own.tasks.map((plan) =>
    compareTask(own, plan, info, tasks.get(plan.task.name) ?? newTaskLines()),
  );
  return {
    problems: [
      ...unknown.map((task) => `your benchmark has no task ${task}, or no episodes for it`),
      ...compared.flatMap(({ problems }) => problems),
    ],
    expected: compared.reduce((sum, { expected }) => sum + expected, 0),
    missing: compared.flatMap(({ missing }) => missing),
  };
}

function compareTask(own: RunPlan, plan: TaskPlan, info: RunInfo, lines: TaskLines): AgainstOwn {
  const expected = info.duel ? firstNames(own, plan, lines) : expectedNames(own, plan, lines);
  const missing = [...expected].filter((name) => !lines.names.has(name));
  const extra = [...lines.names].find((name) => !expected.has(name));
  const problem = strange(plan, lines) ?? (extra && `${extra} is not among the selected episodes`);
  const digest = missing.length === 0 ? otherData(plan, info) : undefined;
  return {
    problems: [...(problem ? [problem] : []), ...(digest ? [digest] : [])],
    expected: expected.size,
    missing,
  };
}

/** With early stopping in the checker's benchmark: the episodes up to where its rule stops on these results. */
function expectedNames(own: RunPlan, plan: TaskPlan, { lines }: TaskLines): ReadonlySet<string> {
  const jobs = jobsOf({ ...own, tasks: [plan] });
  const stop = earlyStops({ ...own, tasks: [plan] }, jobs).get(plan.task.name);
  for (const line of lines) stop?.offer(line);
  const counted = jobs.filter((job) => !stop?.isBeyond({ episode_key: keyOf(job) }));
  return new Set(counted.map(lineNameOf));
}

/** For a duel, whose other runs decided the end: as many episodes as there are, from the first of the drawn order. */
function firstNames(own: RunPlan, plan: TaskPlan, { episodes }: TaskLines): ReadonlySet<string> {
  const jobs = jobsOf({ ...own, tasks: [plan], drawsOrder: true });
  const first = new Set([...new Set(jobs.map(keyOf))].slice(0, episodes.size));
  return new Set(jobs.filter((job) => first.has(keyOf(job))).map(lineNameOf));
}

function otherData({ task: { name }, data }: TaskPlan, info: RunInfo): string | undefined {
  const recorded = info.data?.[name];
  // A merge of different selections has no digest.
  if (!recorded || recorded.sha256 === data.sha256) return undefined;
  return `${name}: the run selected from ${recorded.episodes} episodes that differ from your ${data.episodes}`;
}

function strange(plan: TaskPlan, { episodes }: TaskLines): string | undefined {
  const sums = new Set(plan.episodes.map(sumOf));
  const found = [...episodes].find(([, sum]) => sum !== undefined && !sums.has(sum));
  return found && `${found[0]} differs from your dataset, or is not in it`;
}
