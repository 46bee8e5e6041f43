import { episodeLine } from "../../../test/support/cli.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { createRegistries } from "../../registry/registries.js";
import { writeRun } from "../compare/run.fixture.js";
import { Summariser } from "../summary/summary.js";

interface TableRun {
  readonly agent: string;
  readonly lines: readonly Partial<EpisodeLine>[];
  readonly info?: Partial<RunInfo>;
  readonly summary?: Partial<RunSummary>;
}

/** Writes a run whose summary is computed from its lines; the first metric of the lines is primary. */
export function tableRun({ agent, lines, info = {}, summary = {} }: TableRun): string {
  const { metrics } = createRegistries();
  const full = lines.map(episodeLine);
  const tasks = Object.fromEntries(
    [...new Set(full.map(({ task }) => task))].map((task) => {
      const names = Object.keys(full.find((line) => line.task === task)?.metrics ?? {});
      const infos = names.map((name) => metrics.get(name, {}).info);
      return [task, { profile: "r2r", primaryMetric: names[0] ?? "", metrics: infos }];
    }),
  );
  const summariser = new Summariser({
    ...{ runId: info.run_id ?? "a-run", benchmark: "small world", agent, seed: 0, tasks },
  });
  for (const line of full) summariser.add(line);
  return writeRun({
    lines,
    info: { agent, config: { evaluation: {} }, ...info },
    summary: { ...summariser.finish(info.status ?? "done"), ...summary },
  });
}

/** Episodes of a task; those below `succeeding` succeed and stop 1 m from the goal, others 5 m. */
export function outcomes(
  count: number,
  succeeding: number,
  more: Partial<EpisodeLine> = {},
): Partial<EpisodeLine>[] {
  return Array.from({ length: count }, (_, i) => ({
    episode_id: String(i),
    metrics: {
      success: i < succeeding ? 1 : 0,
      navigation_error: (i < succeeding ? 1 : 5) + (i % 7) / 10,
      steps_taken: i < succeeding ? 10 : 20,
    },
    ...more,
  }));
}
