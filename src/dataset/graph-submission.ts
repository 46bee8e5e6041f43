import { z } from "zod";
import type { BaseEpisode } from "../core/episode/base.js";
import { STOP } from "../core/interfaces/action.js";
import type { GraphSource } from "../core/scene/graph.js";
import { check, type DataLocation, errorAt, idSchema, subjectOf, whereOf } from "./check.js";
import type { Prediction, Submission, SubmissionFormat, SubmissionStep } from "./format.js";
import { checkStep, fromR2rHeading, placeOn, requireGraphs } from "./graph-path.js";
import { hasKeys } from "./readers/json.js";
import { streamList } from "./readers/json-stream.js";

const pose = z.tuple([z.string()], z.number());

/**
 * Submissions on navigation graphs, as introduced by R2R: `[{<idKey>, trajectory: [[viewpoint, heading,
 * elevation], ...]}, ...]`.
 * The trajectory begins at the episode's start and follows edges. A repeated viewpoint is a turn in place
 * and does not count as a step. The end of the list means stop.
 */
export function graphSubmission(idKey: string, format: string): SubmissionFormat {
  const entrySchema = z.looseObject({
    [idKey]: idSchema,
    trajectory: z.array(pose),
  });
  return {
    detect: ({ head }) => Array.isArray(head) && hasKeys(head[0], idKey, "trajectory"),

    async *predictions(path) {
      for await (const [i, entry, text] of streamList(path, "predictions")) {
        const at = { file: path, item: `[${i}]`, subject: subjectOf(entry, idKey, text), text };
        const { [idKey]: id, trajectory } = check(entrySchema, entry, at);
        yield { episodeId: String(id), raw: trajectory, where: whereOf(at) };
      }
    },

    async trajectory(prediction, episode, graphs) {
      const source = requireGraphs({ path: prediction.where, graphs }, format);
      return walk(prediction, episode, source);
    },
  };
}

async function walk(
  prediction: Prediction,
  episode: BaseEpisode,
  graphs: GraphSource,
): Promise<Submission> {
  const at: DataLocation = {
    file: prediction.where,
    item: "trajectory",
    subject: `episode ${episode.episodeId}`,
  };
  const poses = check(z.array(pose), prediction.raw, at);
  const graph = await graphs.graph(episode.sceneId);
  const steps: SubmissionStep[] = [];
  let last: string | undefined;
  for (const [i, [node, heading]] of poses.entries()) {
    if (node === last) continue;
    const place = placeOn(graph, node, at, `trajectory[${i}]`);
    if (last === undefined) checkStart(node, episode, at);
    else checkStep(graph, last, node, at, `trajectory[${i}]`);
    steps.push({
      place,
      action: last === undefined ? null : `goto:${node}`,
      heading: heading === undefined ? undefined : fromR2rHeading(heading),
    });
    last = node;
  }
  const end = steps.at(-1);
  if (!end) {
    const hint = "list at least the start viewpoint, even for an agent that never moved";
    throw errorAt(at, "empty_trajectory", "the trajectory is empty", { hint });
  }
  steps.push({ ...end, action: STOP });
  return { episodeId: episode.episodeId, sceneId: episode.sceneId, steps, stopped: true };
}

function checkStart(node: string, episode: BaseEpisode, at: DataLocation): void {
  const start = episode.startState.node;
  if (node === start) return;
  throw errorAt(at, "wrong_start", `starts at ${node}, but the episode starts at ${start}`, {
    field: "trajectory[0]",
    hint: "begin the trajectory at the episode's start viewpoint",
  });
}
