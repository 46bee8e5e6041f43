import { stringify } from "yaml";
import { parseConfig } from "../config/load.js";
import { BaseEpisode } from "../core/episode/base.js";
import { ConfigError } from "../core/errors.js";
import type { EpisodeLine, RunSummary } from "../core/interfaces/result.js";
import { vlnceEpisode } from "../dataset/formats/r2r-vlnce.js";
import { UnifiedRobotEvaluator } from "../evaluator/evaluator.js";
import type { Registries } from "../registry/registries.js";

/** The flat settings of the old evaluator, and what the new one needs in addition. */
export interface VLNEvaluatorConfig {
  readonly success_distance?: number;
  readonly max_steps?: number;
  readonly metrics?: readonly string[];
  readonly profile?: string;
  readonly seed?: number;
  /** An agent SPEC, as on the command line. */
  readonly agent?: string;
  /** Folder of `<scene>_connectivity.json` navigation graphs. */
  readonly connectivity?: string;
  /** Registries with custom agents and simulators. */
  readonly registries?: Registries;
}

/** Results in the old form, with the new summary. */
export interface VLNEvaluation {
  /** Mean of each metric; null if no episode could be judged. */
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly episodes: readonly EpisodeLine[];
  readonly summary: RunSummary;
}

/**
 * `VLNEvaluator(config).evaluate(episodes)` on the new core: same episode loop, metrics and fault rules
 * as `UnifiedRobotEvaluator`; nothing is written to disk.
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
    this.#config = config;
  }

  /** @param episodes BaseEpisode instances, plain objects of that form, or old episodes (`start_position`, `goals: [...]`) */
  async evaluate(episodes: readonly (BaseEpisode | object)[]): Promise<VLNEvaluation> {
    if (episodes.length === 0)
      throw new ConfigError("no_episodes", "the list of episodes is empty");
    const { agent = "shortest-path", registries } = this.#config;
    const lines: EpisodeLine[] = [];
    const { run_dir: _, ...summary } = await new UnifiedRobotEvaluator(this.#benchmark(), {
      ...(registries ? { registries } : {}),
      agent,
      outDir: null,
      episodes: { vln: episodes.map(asEpisode) },
      onEvent: (event) => {
        if (event.type === "episode") lines.push(event.line);
      },
    }).run();
    const means = Object.entries(summary.aggregated_metrics).map(([name, { mean }]) => [
      name,
      mean,
    ]);
    return { metrics: Object.fromEntries(means), episodes: lines, summary };
  }

  #benchmark() {
    const { success_distance, max_steps, metrics, profile, seed, connectivity } = this.#config;
    const document = {
      benchmark: { name: "VLNEvaluator" },
      vln_task: { type: "vln", config: { success_distance, max_steps, metrics, profile } },
      simulator: { connectivity },
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
