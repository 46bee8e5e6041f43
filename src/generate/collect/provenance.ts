import { createHash } from "node:crypto";
import { resolvedDocument } from "../../config/benchmark.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { RunPlan } from "../../evaluator/plan/prepare.js";
import { PACKAGE_VERSION } from "../../runs/directory/versions.js";
import type { CollectOptions } from "./options.js";

/** An episode in `meta/robot_eval.json`. */
interface Origin {
  readonly episode_key: string;
  readonly outcome: EpisodeLine["outcome"];
  readonly end_reason: string;
}

/**
 * `meta/robot_eval.json`: the origin of a dataset's episodes, and which were left out. Contains no times, so that the
 * same benchmark, agent and seed give the same files.
 */
export class Provenance {
  readonly #head: Readonly<Record<string, unknown>>;
  readonly #episodes: object[] = [];
  readonly #leftOut: (Origin & { readonly explanation: string })[] = [];

  constructor({ loaded, agentSpec, seed }: RunPlan, options: CollectOptions) {
    const { limit, first, filter, keep = "success" } = options;
    this.#head = {
      format: "robot-eval-collection/1",
      robot_eval: PACKAGE_VERSION,
      benchmark: {
        name: loaded.config.benchmark.name,
        sha256: createHash("sha256").update(loaded.text).digest("hex"),
      },
      config: resolvedDocument(loaded.config),
      agent: agentSpec,
      seed,
      selection: {
        ...(limit === undefined ? {} : { limit }),
        ...(first === undefined ? {} : { first }),
        ...(filter === undefined ? {} : { filter }),
      },
      keep,
    };
  }

  get leftOut(): readonly (Origin & { readonly explanation: string })[] {
    return this.#leftOut;
  }

  /** Adds an episode, in dataset order. */
  add(line: EpisodeLine): void {
    const { steps, metrics, seed, agent_seed, initial_state_hash } = line;
    this.#episodes.push({
      episode_index: this.#episodes.length,
      ...originOf(line),
      steps,
      metrics,
      seed,
      agent_seed,
      initial_state_hash,
    });
  }

  leaveOut(line: EpisodeLine): void {
    this.#leftOut.push({ ...originOf(line), explanation: line.explanation });
  }

  toDict(): Readonly<Record<string, unknown>> {
    return { ...this.#head, episodes: this.#episodes, left_out: this.#leftOut };
  }
}

function originOf({ episode_key, outcome, end_reason }: EpisodeLine): Origin {
  return { episode_key, outcome, end_reason };
}
