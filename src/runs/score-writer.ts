import { createHash } from "node:crypto";
import { stringify } from "yaml";
import type { LoadedConfig } from "../config/load.js";
import type { EpisodeLine, RunInfo, RunResults } from "../core/interfaces/result.js";
import { slug } from "./file-names.js";
import { recordedConfig } from "./recorded-config.js";
import { freeRunId } from "./run-id.js";
import { RunWriter } from "./run-writer.js";
import { Summariser, type SummaryTask } from "./summary.js";
import type { TrajectoryBuffer } from "./trajectory.js";
import { versions } from "./versions.js";

export interface ScoreTarget {
  readonly loaded: LoadedConfig;
  readonly tasks: readonly { readonly name: string; readonly summaryTask: SummaryTask }[];
  readonly agent: string;
  readonly seed: number;
  /** What is scored, for run.json. */
  readonly source: Readonly<Record<string, string>>;
  /** Where a run is scored again: which episodes it was of, and what its policy was told. */
  readonly recorded?: Pick<RunInfo, "selection" | "data" | "disclosed">;
  /** Parent folder of the run directory; null writes nothing. */
  readonly outDir: string | null;
}

/**
 * Writes scored episodes as a run of its own, so that every tool for runs works on them. The run
 * appears when it is complete; a scoring that fails leaves nothing behind.
 */
export class ScoreWriter {
  readonly #writer: RunWriter | undefined;
  readonly #summariser: Summariser;

  private constructor(writer: RunWriter | undefined, summariser: Summariser) {
    this.#writer = writer;
    this.#summariser = summariser;
  }

  static async open(target: ScoreTarget): Promise<ScoreWriter> {
    const { loaded, tasks, agent, seed, outDir } = target;
    const { name } = loaded.config.benchmark;
    const started = new Date().toISOString();
    const base = `${started.replace(/[-:]|\.\d+/g, "")}-score-${slug(name)}-${slug(agent)}`;
    const config = recordedConfig(loaded);
    const text = stringify(config);
    const { selection = {}, data = {}, disclosed = {} } = target.recorded ?? {};
    const info: RunInfo = {
      format: "robot-eval-run/1",
      run_id: outDir === null ? base : await freeRunId(outDir, base, "whole"),
      status: "running",
      kind: "score",
      benchmark: { name, sha256: createHash("sha256").update(text).digest("hex") },
      config,
      selection,
      data,
      seed,
      agent,
      disclosed,
      versions: versions(),
      started_at: started,
      finished_at: null,
      warnings: [],
      source: target.source,
    };
    const summariser = new Summariser({
      runId: info.run_id,
      benchmark: name,
      agent,
      seed,
      repeats: loaded.config.evaluation.repeats,
      tasks: Object.fromEntries(tasks.map((task) => [task.name, task.summaryTask])),
    });
    const writer =
      outDir === null ? undefined : await RunWriter.create(outDir, info, text, "whole");
    return new ScoreWriter(writer, summariser);
  }

  /** Where the run is being made; undefined when nothing is written. */
  get path(): string | undefined {
    return this.#writer?.path;
  }

  /** @param steps the episode's records, to be saved with it */
  async add(line: EpisodeLine, steps?: TrajectoryBuffer): Promise<void> {
    const trajectory = steps
      ? ((await this.#writer?.saveTrajectory(line, steps)) ?? null)
      : line.trajectory;
    await this.#writer?.append({ ...line, trajectory });
    this.#summariser.add(line);
  }

  /**
   * @param warnings what the user is told beside the numbers
   * @param status of what was scored
   */
  async finish(
    warnings: readonly string[] = [],
    status: "done" | "cancelled" = "done",
  ): Promise<RunResults> {
    const summary = this.#summariser.finish(status);
    const runDir = await this.#writer?.finish(summary, new Date().toISOString(), warnings);
    return { ...summary, run_dir: runDir ?? null };
  }

  async abandon(): Promise<void> {
    await this.#writer?.abandon();
  }
}
