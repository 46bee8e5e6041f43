import { stringify } from "yaml";
import { z } from "zod";
import { checkArgument } from "../config/argument.js";
import { parseConfig } from "../config/load.js";
import { BaseEpisode } from "../core/episode/base.js";
import { ConfigError } from "../core/errors.js";
import type { EpisodeLine, RunSummary } from "../core/interfaces/result.js";
import { rulesOf } from "../core/profiles.js";
import { vlnceEpisode } from "../dataset/formats/r2r-vlnce.js";
import { UnifiedRobotEvaluator } from "../evaluator/evaluator.js";
import type { Registries } from "../registry/registries.js";
import { isSparse, STEP_M, withDensePath } from "./dense-path.js";

/** The flat settings of the old evaluator, and what the new one needs in addition. */
export interface VLNEvaluatorConfig {
  readonly success_distance?: number;
  readonly max_steps?: number;
  readonly metrics?: readonly string[];
  /** Default `vlnce`, the rules of the R2R-CE episodes that the old evaluator read. */
  readonly profile?: string;
  readonly seed?: number;
  /** An agent SPEC, as on the command line. */
  readonly agent?: string;
  /** Folder of `<scene>_connectivity.json` navigation graphs. */
  readonly connectivity?: string;
  /** Folder of the files that scene ids name. */
  readonly scenes?: string;
  /** Registries with custom agents and simulators. */
  readonly registries?: Registries;
}

const DEFAULT_PROFILE = "vlnce";

/** Only names and types; the benchmark made from the settings checks their values. */
const settingsSchema = z.strictObject({
  success_distance: z.number().positive().optional(),
  max_steps: z.int().positive().optional(),
  metrics: z.array(z.string()).optional(),
  profile: z.string().optional(),
  seed: z.int().optional(),
  agent: z.string().optional(),
  connectivity: z.string().optional(),
  scenes: z.string().optional(),
  registries: z.unknown().optional(),
});

/** Results in the old form, with the new summary. */
export interface VLNEvaluation {
  /** Mean of each metric; null if no episode could be judged. */
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly episodes: readonly EpisodeLine[];
  readonly summary: RunSummary;
  /** Warnings about the numbers. */
  readonly warnings: readonly string[];
}

/**
 * `VLNEvaluator(config).evaluate(episodes)` on the new core: same episode loop, metrics and fault rules
 * as `UnifiedRobotEvaluator`; nothing is written to disk. Without navigation graphs, reference paths of way points are
 * resampled where the profile compares with a dense path.
 *
 * @example
 * const evaluator = new VLNEvaluator({ agent: "shortest-path", connectivity: "graphs/" });
 * const { metrics } = await evaluator.evaluate([
 *   {
 *     episode_id: 1,
 *     scene_id: "flat",
 *     start_position: [0, 1.5, 0],
 *     start_rotation: [0, 0, 0, 1],
 *     goals: [{ position: [0, 1.5, -2], radius: 3 }],
 *     instruction: { instruction_text: "Walk to the kitchen." },
 *     reference_path: [[0, 1.5, 0], [0, 1.5, -2]],
 *   },
 * ]);
 */
export class VLNEvaluator {
  readonly #config: VLNEvaluatorConfig;

  constructor(config: VLNEvaluatorConfig = {}) {
    checkArgument(settingsSchema, config, "VLNEvaluator");
    this.#config = { ...config, profile: config.profile ?? DEFAULT_PROFILE };
  }

  /** @param episodes BaseEpisode instances, plain objects of that form, or old episodes (`start_position`, `goals: [...]`) */
  async evaluate(episodes: readonly (BaseEpisode | object)[]): Promise<VLNEvaluation> {
    checkArgument(z.array(z.unknown()), episodes, "VLNEvaluator.evaluate: episodes");
    if (episodes.length === 0)
      throw new ConfigError("no_episodes", "the list of episodes is empty");
    const { agent = "shortest-path", registries } = this.#config;
    const lines: EpisodeLine[] = [];
    const { prepared, warnings } = this.#prepared(episodes.map(asEpisode));
    const { run_dir: _, ...summary } = await new UnifiedRobotEvaluator(this.#benchmark(), {
      ...(registries ? { registries } : {}),
      agent,
      outDir: null,
      episodes: { vln: prepared },
      onEvent: (event) => {
        if (event.type === "started") warnings.push(...event.warnings);
        else lines.push(event.line);
      },
    }).run();
    const means = Object.entries(summary.aggregated_metrics).map(([name, { mean }]) => [
      name,
      mean,
    ]);
    return { metrics: Object.fromEntries(means), episodes: lines, summary, warnings };
  }

  /** On a graph, the robot visits the points of the reference path itself, so that nothing is resampled there. */
  #prepared(episodes: readonly BaseEpisode[]) {
    const { connectivity, profile = DEFAULT_PROFILE } = this.#config;
    const sparse = episodes.filter(isSparse).length;
    const compares =
      connectivity === undefined && rulesOf("vln", { profile }).reference === "dense";
    if (!compares || sparse === 0) return { prepared: episodes, warnings: [] as string[] };
    return {
      prepared: episodes.map((one) => (isSparse(one) ? withDensePath(one) : one)),
      warnings: [
        `${sparse} of ${episodes.length} episodes have no dense ground-truth path: path metrics use their reference path with a point every ${STEP_M} m`,
      ],
    };
  }

  #benchmark() {
    const { success_distance, max_steps, metrics, profile, seed, connectivity, scenes } =
      this.#config;
    const document = {
      benchmark: { name: "VLNEvaluator" },
      vln_task: { type: "vln", config: { success_distance, max_steps, metrics, profile } },
      simulator: { connectivity, scenes },
      dataset: { vln: { type: "vln", data_path: "episodes in memory" } },
      evaluation: { seed },
    };
    // `undefined` settings are left out of the YAML and get their defaults.
    return parseConfig(stringify(document), { file: "VLNEvaluator" });
  }
}

function asEpisode(episode: BaseEpisode | object, i: number): BaseEpisode {
  if (episode instanceof BaseEpisode) return episode;
  const where = `episodes[${i}]`;
  return "start_position" in Object(episode)
    ? vlnceEpisode(episode, where)
    : BaseEpisode.fromDict(episode, where);
}
