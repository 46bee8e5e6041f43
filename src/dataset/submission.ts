import { type BaseEpisode, goalPoints } from "../core/episode/base.js";
import { DataError } from "../core/errors.js";
import type { StepRecord } from "../core/interfaces/step.js";
import type { GraphSource } from "../core/scene/graph.js";
import { distanceToAny, type SceneDistance } from "../core/scene/scene-point.js";
import type { DatasetFormat, Prediction, Submission } from "./format.js";

export interface SubmissionOptions {
  readonly path: string;
  readonly format: DatasetFormat;
  /** The dataset that the submission was made on. */
  readonly episodes: Iterable<BaseEpisode> | AsyncIterable<BaseEpisode>;
  readonly graphs?: GraphSource | undefined;
  /**
   * Whether an episode of the dataset is scored; all are if absent. A prediction for another episode of the
   * dataset is ignored, as evaluators of submissions do.
   */
  readonly isScored?: ((episode: BaseEpisode) => boolean) | undefined;
}

export interface SubmissionReading {
  readonly path: string;
  /** The scored episodes of the dataset. */
  readonly episodes: readonly BaseEpisode[];
  /** Their number. */
  readonly total: number;
  /** Scored episodes without a prediction; the scorer decides how to treat them. */
  readonly missing: readonly BaseEpisode[];
  /** In the dataset's order, so that the order of the submission cannot change a result. */
  trajectories(): AsyncIterable<PredictedEpisode>;
}

interface PredictedEpisode {
  readonly episode: BaseEpisode;
  readonly submission: Submission;
}

/**
 * Reads a submission and matches it to the dataset's episodes. Throws if a prediction names an unknown
 * episode or repeats one; an invalid trajectory throws during iteration.
 */
export async function readSubmission(options: SubmissionOptions): Promise<SubmissionReading> {
  const { path, format, graphs, isScored = () => true } = options;
  const reader = format.submission;
  if (!reader) {
    throw new DataError("no_submissions", `the format ${format.name} has no submission files`, {
      where: path,
    });
  }
  const dataset = new EpisodeIndex((episode) => reader.idOf?.(episode) ?? episode.episodeId);
  for await (const episode of options.episodes) dataset.add(episode);
  const scored = dataset.episodes.filter(isScored);
  const predicted = new Map<BaseEpisode, Prediction>();
  for await (const prediction of reader.predictions(path)) {
    const episode = dataset.find(prediction);
    if (predicted.has(episode)) {
      throw new DataError(
        "duplicate_prediction",
        `episode ${prediction.episodeId} is predicted twice`,
        { where: prediction.where, hint: "submit one trajectory per episode" },
      );
    }
    predicted.set(episode, prediction);
  }
  return {
    path,
    episodes: scored,
    total: scored.length,
    missing: scored.filter((episode) => !predicted.has(episode)),
    async *trajectories() {
      for (const episode of scored) {
        const prediction = predicted.get(episode);
        if (!prediction) continue;
        yield { episode, submission: await reader.trajectory(prediction, episode, graphs) };
      }
    },
  };
}

/** The error for scorers that require a prediction for each episode. */
export function missingPredictions({ missing, total, path }: SubmissionReading): DataError {
  const named = missing.slice(0, 5).map((episode) => episode.episodeId);
  const rest = missing.length > named.length ? ", ..." : "";
  return new DataError(
    "missing_predictions",
    `${missing.length} of ${total} episodes have no prediction: ${named.join(", ")}${rest}`,
    { where: path, hint: "check that the submission is for this split and was written completely" },
  );
}

/** The error for episodes that cannot be scored because the dataset withholds their goals; undefined if all have one. */
export function missingGoals({ episodes, total }: SubmissionReading, dataset: string) {
  const without = episodes.filter((episode) => goalPoints(episode).length === 0);
  const [first] = without;
  if (!first) return undefined;
  const all = without.length === total;
  return new DataError(
    "no_goals",
    all
      ? `none of the ${total} episodes of the dataset has a goal: this is a test split, and its goals are not public`
      : `${without.length} of ${total} episodes of the dataset have no goal, so they cannot be scored; the first is ${first.episodeId}`,
    {
      where: dataset,
      hint: all
        ? "submit the file to the benchmark's evaluation server, or score a split with goals, such as val_seen"
        : "use a dataset whose episodes all have goals",
    },
  );
}

/**
 * Converts a submission to the step records that metrics read. Fills in `distance_to_goal` if the scene's
 * distances are available and the goal is known, which it is not in a test split.
 */
export function submissionRecords(
  episode: BaseEpisode,
  submission: Submission,
  distance?: SceneDistance,
): StepRecord[] {
  const goals = distance ? goalPoints(episode) : [];
  return submission.steps.map(({ place, action, heading }, step) => ({
    step,
    action,
    state: {
      position: place.position,
      ...(place.node === undefined ? {} : { node: place.node }),
      ...(heading === undefined ? {} : { heading }),
      ...(distance && goals.length > 0
        ? { distance_to_goal: distanceToAny(distance, place, goals) }
        : {}),
    },
  }));
}

/** The dataset's episodes by their names in predictions. */
class EpisodeIndex {
  readonly episodes: BaseEpisode[] = [];
  readonly #byId = new Map<string, BaseEpisode[]>();

  constructor(private readonly idOf: (episode: BaseEpisode) => string) {}

  add(episode: BaseEpisode): void {
    this.episodes.push(episode);
    const id = this.idOf(episode);
    this.#byId.set(id, [...(this.#byId.get(id) ?? []), episode]);
  }

  find({ episodeId, sceneId, where }: Prediction): BaseEpisode {
    const sameId = this.#byId.get(episodeId) ?? [];
    const found =
      sceneId === undefined ? sameId : sameId.filter((episode) => episode.sceneId === sceneId);
    const [episode, ...others] = found;
    if (episode && others.length === 0) return episode;
    const inScene = sceneId === undefined ? "" : ` in scene ${sceneId}`;
    if (episode) {
      throw new DataError(
        "ambiguous_episode",
        `${found.length} episodes of the dataset have the id ${episodeId}${inScene}`,
        { where, hint: "score one scene at a time" },
      );
    }
    const examples = this.episodes.slice(0, 3).map(this.idOf);
    throw new DataError("unknown_episode", `the dataset has no episode ${episodeId}${inScene}`, {
      where,
      hint: `check that this is the right split; its ${this.episodes.length} episodes have ids like ${examples.join(", ")}`,
    });
  }
}
