import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import type { NavGraph } from "../../core/scene/graph.js";
import { check, type DataLocation, idSchema, subjectOf, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { pathOn, requireGraphs, rotationOfR2rHeading } from "../graph-path.js";
import { graphSubmission } from "../graph-submission.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { streamList } from "../readers/json-stream.js";

/** Success radius in metres. */
const GOAL_RADIUS = 3;

const pathSchema = z.looseObject({
  path_id: idSchema,
  scan: z.string().min(1),
  path: z.array(z.string()).min(1),
  heading: z.number(),
  instructions: z.array(z.string()).min(1),
  distance: z.number().optional(),
});

type R2rPath = z.output<typeof pathSchema>;

/**
 * Room-to-Room (Anderson et al., CVPR 2018): paths of viewpoints, each with several instructions. Each
 * instruction is an episode, `<path_id>_<i>`.
 */
export const r2rFormat: DatasetFormat = {
  name: "r2r",
  description: "Room-to-Room on Matterport navigation graphs: R2R_{split}.json",
  taskTypes: ["vln"],
  profile: "r2r",

  detect: ({ head }) =>
    Array.isArray(head) && hasKeys(head[0], "scan", "path_id", "path", "instructions"),

  async *episodes(source) {
    const graphs = requireGraphs(source, "r2r");
    const file = source.path;
    yield* readEach(source, streamList(file, "paths"), async ([i, raw, text]) => {
      const subject = subjectOf(raw, "path_id", text, "path");
      const at: DataLocation = { file, item: `[${i}]`, subject, text };
      const path = check(pathSchema, raw, at);
      return episodesOf(path, await graphs.graph(path.scan), source.taskType ?? "vln", at);
    });
  },

  submission: graphSubmission("instr_id", "r2r"),
};

function* episodesOf(
  path: R2rPath,
  graph: NavGraph,
  taskType: string,
  at: DataLocation,
): Generator<BaseEpisode> {
  const places = pathOn(graph, path.path, at, "path");
  const [start] = places;
  const goal = places.at(-1);
  if (!start || !goal) return;
  // The test split gives only the start and withholds the goal.
  const known = places.length > 1;
  for (const [i, text] of path.instructions.entries()) {
    yield new BaseEpisode(
      {
        episodeId: `${path.path_id}_${i}`,
        taskType,
        sceneId: path.scan,
        startState: {
          position: [...start.position],
          rotation: [...rotationOfR2rHeading(path.heading)],
          node: start.node,
        },
        goals: known ? { position: [...goal.position], node: goal.node, radius: GOAL_RADIUS } : {},
        instruction: { text },
        referenceData: known
          ? { path: places.map(({ position }) => [...position]), nodes: path.path }
          : null,
        taskConfig: { path_id: path.path_id, distance: path.distance },
      },
      whereOf(at),
    );
  }
}
