import { createHash } from "node:crypto";
import { stringify } from "yaml";
import type { LoadedConfig } from "../../config/load.js";
import type {
  EpisodeLine,
  PartialScore,
  RunInfo,
  RunLabels,
  RunResults,
} from "../../core/interfaces/result.js";
import type { SummaryTask } from "../../registry/resolved-task.js";
import { slug } from "../directory/file-names.js";
import { freeRunId } from "../directory/run-id.js";
import { withConfigMac } from "../directory/run-key.js";
import { labelsOf } from "../directory/run-labels.js";
import { RunWriter } from "../directory/run-writer.js";
import type { TrajectoryBuffer } from "../directory/trajectory.js";
import { versions } from "../directory/versions.js";
import { recordedConfig, sectionOf } from "../recorded/recorded-config.js";
import { Summariser } from "../summary/summary.js";

export interface ScoreTarget {
  readonly loaded: LoadedConfig;
  readonly tasks: readonly { readonly name: string; readonly summaryTask: SummaryTask }[];
  readonly agent: string;
  readonly seed: number;
  /** The scored source, for run.json. */
  readonly source: Readonly<Record<string, string>>;
  /** For a run that is scored again: its selection, data digest, disclosure, sensors and number of scored episodes. */
  readonly recorded?: RunLabels &
    Pick<RunInfo, "selection" | "data" | "disclosed" | "sensors" | "partial">;
  /** Set if the source has predictions for only some of the episodes. */
  readonly partial?: PartialScore | undefined;
  /** The settings to write, if `loaded` has only those that scoring may use. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Whether this account made the scored run. */
  readonly isOwn?: boolean;
  /** Parent folder of the run directory; null writes nothing. */
  readonly outDir: string | null;
}

/**
 * Writes scored episodes as a run, so that all tools for runs work on them. The run appears when it is complete; a
 * failed scoring leaves no files.
 */
export class ScoreWriter {
  private constructor(
    private readonly writer: RunWriter | undefined,
    private readonly summariser: Summariser,
  ) {}

  static async open(target: ScoreTarget): Promise<ScoreWriter> {
    const { loaded, tasks, agent, seed, outDir } = target;
    const { name } = loaded.config.benchmark;
    const started = new Date().toISOString();
    const base = `${started.replace(/[-:]|\.\d+/g, "")}-score-${slug(name)}-${slug(agent)}`;
    const config = target.config ?? recordedConfig(loaded);
    const text = stringify(config);
    const { selection = {}, data = {}, disclosed = {}, sensors } = target.recorded ?? {};
    const partial = target.partial ?? target.recorded?.partial;
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
      ...labelsOf(target.recorded),
      disclosed,
      ...(sensors ? { sensors } : {}),
      versions: versions(sectionOf(config.simulator).engine),
      started_at: started,
      finished_at: null,
      warnings: [],
      ...(partial ? { partial } : {}),
      source: target.source,
    };
    const named = tasks.map((task) => [task.name, task.summaryTask]);
    const summariser = Summariser.of(info, Object.fromEntries(named));
    const marked = target.isOwn ? withConfigMac(info) : info;
    const writer =
      outDir === null ? undefined : await RunWriter.create(outDir, marked, text, "whole");
    return new ScoreWriter(writer, summariser);
  }

  /** Path of the run while it is being written; undefined if nothing is written. */
  get path(): string | undefined {
    return this.writer?.path;
  }

  /** @param steps the episode's records to save */
  async add(line: EpisodeLine, steps?: TrajectoryBuffer): Promise<void> {
    const trajectory = steps
      ? ((await this.writer?.saveTrajectory(line, steps)) ?? null)
      : line.trajectory;
    await this.writer?.append({ ...line, trajectory });
    this.summariser.add(line);
  }

  /**
   * @param warnings for the user
   * @param status of the scored source
   */
  async finish(
    warnings: readonly string[] = [],
    status: "done" | "cancelled" = "done",
  ): Promise<RunResults> {
    const summary = this.summariser.finish(status);
    const runDir = await this.writer?.finish(summary, new Date().toISOString(), warnings);
    return { ...summary, run_dir: runDir ?? null };
  }

  async abandon(): Promise<void> {
    await this.writer?.abandon();
  }
}
