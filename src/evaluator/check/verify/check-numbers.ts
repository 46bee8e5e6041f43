import { isDeepStrictEqual } from "node:util";
import { BaseEpisode } from "../../../core/episode/base.js";
import { show } from "../../../core/errors.js";
import type { MetricTable, RunInfo, RunSummary } from "../../../core/interfaces/result.js";
import type { Registries } from "../../../registry/registries.js";
import { recordedBenchmark } from "../../../runs/recorded/recorded-benchmark.js";
import { stopsEarly } from "../../../runs/recorded/recorded-config.js";
import { stopIfAborted } from "../../../runs/score/score-options.js";
import { scoreRun } from "../../../runs/score/score-run.js";
import { recordedStops } from "../../duel/recorded-stops.js";
import { jobsOf } from "../../plan/jobs.js";
import { prepareRun } from "../../plan/prepare.js";
import { Recorder } from "../../record/recorder.js";
import { asJson, firstDifference } from "../replay/difference.js";
import { REPLAY_USES } from "../replay/replay-plan.js";
import type { Checked, Finding } from "./documents.js";

/**
 * Checks that summary.json follows from the run's lines, and its means from the recorded steps. The replay
 * checks the metrics of each line.
 */
export async function checkNumbers(checked: Checked, registries: Registries): Promise<Finding> {
  const { run, info, permissions, signal } = checked;
  const recorded = await run.summary();
  const { summary: again, disclosed } = await summedUp(checked, registries);
  // A task without lines is not in the plan and disclosed nothing.
  const said = Object.entries(info.disclosed).filter(([task]) => task in disclosed);
  const told = firstDifference(Object.fromEntries(said), asJson(disclosed), "disclosed");
  if (told) {
    const [recorded, found] = [show(told.recorded), show(told.now)];
    return failed(`run.json, ${told.field}: says ${recorded}, the settings give ${found}`);
  }
  const other = firstDifference(asJson(settled(recorded, info)), asJson(settled(again, info)));
  if (other) {
    const [said, found] = [show(other.recorded), show(other.now)];
    return failed(`summary.json, ${other.field}: says ${said}, the episodes give ${found}`);
  }
  const scored = await scoreRun({
    ...permissions,
    ...{ path: run.path, outDir: null, registries, signal },
  });
  for (const [task, table] of Object.entries(again.per_task)) {
    if (isDeepStrictEqual(means(table), means(scored.per_task[task]))) continue;
    return failed(`the recorded steps give other numbers for ${task}`);
  }
  return { status: "ok", text: "every number follows from the recorded steps" };
}

/** Computes the summary again from the lines. */
async function summedUp({ run, info, permissions, signal }: Checked, registries: Registries) {
  const episodes = new Map<string, Map<string, BaseEpisode>>();
  for await (const { task, episode_key, ...line } of run.episodes()) {
    stopIfAborted(signal);
    const own = episodes.get(task) ?? new Map<string, BaseEpisode>();
    episodes.set(task, own);
    // Only the fields that identify the episode matter here.
    const { episode_id: episodeId, scene_id: sceneId, task_type: taskType } = line;
    own.set(episode_key, new BaseEpisode({ episodeId, sceneId, taskType }));
  }
  const loaded = recordedBenchmark(run, info, REPLAY_USES, permissions);
  const plan = await prepareRun(loaded, {
    registries,
    agent: `replay:${run.path}`,
    seed: info.seed,
    ...(info.duel ? { drawsOrder: true } : {}),
    episodes: Object.fromEntries(
      loaded.config.tasks.map(({ name }) => [name, [...(episodes.get(name)?.values() ?? [])]]),
    ),
  });
  const jobs = jobsOf(plan);
  const recorder = new Recorder({
    plan: { ...plan, agentSpec: info.agent },
    runId: info.run_id,
    labels: info,
    jobs,
    stops: recordedStops(plan, jobs, info),
    queue: undefined,
    writer: undefined,
    onWarning: () => {},
    onGiveUp: () => {},
  });
  for await (const line of run.episodes()) recorder.addRecorded(line);
  const disclosed = plan.tasks.map(({ task, disclosed: shown }) => [task.name, shown] as const);
  return { summary: recorder.summary(info.status), disclosed: Object.fromEntries(disclosed) };
}

/** The part of the summary that depends neither on clocks nor on episodes that never ran or were not selected. */
function settled({ timings, early_stop, selected, ...summary }: RunSummary, info: RunInfo) {
  const stops = Object.entries(early_stop ?? {}).map(([task, { of, ...stop }]) => [task, stop]);
  const { per_task, profiles, primary_metrics, aggregated_metrics, ...rest } = summary;
  const ran = new Set(
    Object.entries(per_task).flatMap(([task, table]) => (isEmpty(table) ? [] : [task])),
  );
  const only = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([task]) => ran.has(task)));
  // If a run with early stopping was cancelled, its intervals depend on episodes that never ran.
  const isCut = info.status !== "done" && stopsEarly(info);
  const tables = { ...only(per_task), aggregated_metrics };
  return {
    ...rest,
    steps: timings.steps,
    profiles: only(profiles),
    primary_metrics: only(primary_metrics),
    tables: isCut
      ? Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, means(table)]))
      : tables,
    ...(isCut ? {} : { early_stop: Object.fromEntries(stops) }),
  };
}

/** A task without episodes in this shard. */
function isEmpty(table: MetricTable): boolean {
  return Object.values(table).every(({ count, n_invalid }) => count === 0 && n_invalid === 0);
}

function means(table: MetricTable = {}) {
  return Object.entries(table).map(([name, { mean, std, count, n_invalid }]) => ({
    ...{ name, mean, std, count, n_invalid },
  }));
}

function failed(text: string): Finding {
  return { status: "failed", text };
}
