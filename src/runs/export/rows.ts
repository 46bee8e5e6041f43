import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { TableCell, TableColumn } from "../../dataset/readers/parquet-table.js";
import type { ExportSource } from "./format.js";

interface Column extends TableColumn {
  of(line: EpisodeLine): TableCell | undefined;
}

const text = (name: string, of: Column["of"]): Column => ({ name, type: "string", of });
const whole = (name: string, of: Column["of"]): Column => ({ name, type: "int64", of });
const real = (name: string, of: Column["of"]): Column => ({ name, type: "float64", of });

/** Columns that every line has, in table order. */
const FIELDS: readonly Column[] = [
  text("episode_key", (line) => line.episode_key),
  text("episode_id", (line) => line.episode_id),
  text("scene_id", (line) => line.scene_id),
  text("task", (line) => line.task),
  text("task_type", (line) => line.task_type),
  whole("repeat", (line) => line.repeat),
  whole("attempt", (line) => line.attempt),
  whole("seed", (line) => line.seed),
  whole("agent_seed", (line) => line.agent_seed),
  text("outcome", (line) => line.outcome),
  text("fault", (line) => line.fault),
  text("end_reason", (line) => line.end_reason),
  text("profile", (line) => line.profile),
  whole("steps", (line) => line.steps),
  real("wall_ms", (line) => line.wall_ms),
  real("sim_ms", (line) => line.sim_ms),
  real("agent_ms", (line) => line.agent_ms),
  real("agent_latency_p50_ms", (line) => line.agent_latency_ms?.p50),
  real("agent_latency_p95_ms", (line) => line.agent_latency_ms?.p95),
  real("agent_latency_p99_ms", (line) => line.agent_latency_ms?.p99),
  whole("agent_answers", (line) => line.agent_latency_ms?.n),
  text("initial_state_hash", (line) => line.initial_state_hash),
  text("final_state_hash", (line) => line.final_state_hash),
  text("trajectory", (line) => line.trajectory),
  text("video", (line) => line.video),
  text("error_code", (line) => line.error?.code),
  text("error_message", (line) => line.error?.message),
  text("explanation", (line) => line.explanation),
];

export interface EpisodeTable {
  readonly columns: readonly TableColumn[];
  /** One cell per column; null for missing values. */
  rows(): AsyncGenerator<readonly TableCell[]>;
}

/**
 * A run as a table: one row per line of episodes.jsonl, the fields in a fixed order, then the metrics of all tasks
 * sorted by name. Reads the lines twice, because the header must include the metrics of every line. Holds one row
 * in memory at a time.
 */
export async function episodeTable(source: ExportSource): Promise<EpisodeTable> {
  const metrics = new Set<string>();
  for await (const line of source.lines()) {
    for (const name of Object.keys(line.metrics)) metrics.add(name);
  }
  const { run_id } = source.info;
  const columns = [text("run_id", () => run_id), ...FIELDS, ...metricColumns([...metrics].sort())];
  return {
    columns,
    async *rows() {
      for await (const line of source.lines()) yield columns.map(({ of }) => of(line) ?? null);
    },
  };
}

/** Names columns after their metrics, except where a plugin metric has the name of a field. */
function metricColumns(metrics: readonly string[]): Column[] {
  const fields = new Set(["run_id", ...FIELDS.map(({ name }) => name)]);
  const taken = new Set([...fields, ...metrics]);
  return metrics.map((metric) => {
    let name = metric;
    if (fields.has(metric)) while (taken.has(name)) name = `metric_${name}`;
    taken.add(name);
    return real(name, (line) => line.metrics[metric]);
  });
}
