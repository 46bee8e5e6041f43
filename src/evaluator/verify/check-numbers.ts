import { isDeepStrictEqual } from "node:util";
import { BaseEpisode } from "../../core/episode/base.js";
import { show } from "../../core/errors.js";
import type { MetricTable, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import type { Registries } from "../../registry/registries.js";
import { recordedBenchmark } from "../../runs/recorded-config.js";
import { stopIfAborted } from "../../runs/score-options.js";
import { scoreRun } from "../../runs/score-run.js";
import { jobsOf } from "../jobs.js";
import { prepareRun } from "../prepare.js";
import { Recorder } from "../recorder.js";
import { asJson, firstDifference } from "../replay/difference.js";
import type { Checked, Finding } from "./documents.js";
import { stopsEarly } from "./read-lines.js";

/**
 * That summary.json is what the run's lines add up to, and that its means follow from the recorded steps.
 * (That each line's numbers do is for the replay to say.)
 */
export async function checkNumbers(checked: Checked, registries: Registries): Promise<Finding> {
  const { run, info, signal } = checked;
  const recorded = await run.summary();
  const again = await summedUp(checked, registries);
  const other = firstDifference(asJson(settled(recorded, info)), asJson(settled(again, info)));
  if (other) {
    const [said, found] = [show(other.recorded), show(other.now)];
    return failed(`summary.json, ${other.field}: says ${said}, the episodes give ${found}`);
  }
  const scored = await scoreRun({ path: run.path, outDir: null, registries, signal });
  for (const [task, table] of Object.entries(again.per_task)) {
    if (isDeepStrictEqual(means(table), means(scored.per_task[task]))) continue;
    return failed(`the recorded steps give other numbers for ${task}`);
  }
  return { status: "ok", text: "every number follows from the recorded steps" };
}

/** The summary once more, by those who made it, from the lines alone. */
async function summedUp({ run, info, signal }: Checked, registries: Registries) {
  const episodes = new Map<string, Map<string, BaseEpisode>>();
  for await (const { task, episode_key, ...line } of run.episodes()) {
    stopIfAborted(signal);
    const own = episodes.get(task) ?? new Map<string, BaseEpisode>();
    episodes.set(task, own);
    // Only what names it counts here.
    const { episode_id: episodeId, scene_id: sceneId, task_type: taskType } = line;
    own.set(episode_key, new BaseEpisode({ episodeId, sceneId, taskType }));
  }
  const loaded = recordedBenchmark(run, await run.info());
  const plan = await prepareRun(loaded, {
    registries,
    agent: `replay:${run.path}`,
    seed: info.seed,
    episodes: Object.fromEntries(
      loaded.config.tasks.map(({ name }) => [name, [...(episodes.get(name)?.values() ?? [])]]),
    ),
  });
  const recorder = new Recorder({
    plan: { ...plan, agentSpec: info.agent },
    runId: info.run_id,
    jobs: jobsOf(plan),
    queue: undefined,
    writer: undefined,
    onWarning: () => {},
    onGiveUp: () => {},
  });
  for await (const line of run.episodes()) recorder.recall(line);
  return recorder.summary(info.status);
}

/** What does not depend on clocks, nor on episodes that were selected and never run. */
function settled({ timings, early_stop, ...summary }: RunSummary, info: RunInfo) {
  const stops = Object.entries(early_stop ?? {}).map(([task, { of, ...stop }]) => [task, stop]);
  const { per_task, profiles, primary_metrics, aggregated_metrics, ...rest } = summary;
  const ran = new Set(
    Object.entries(per_task).flatMap(([task, table]) => (isEmpty(table) ? [] : [task])),
  );
  const only = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).filter(([task]) => ran.has(task)));
  // Where a run that was to stop early was broken off, its intervals depend on what it had not run yet.
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

/** A task that a shard has nothing of. */
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
