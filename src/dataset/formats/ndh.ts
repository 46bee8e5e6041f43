import { z } from "zod";
import { BaseEpisode } from "../../core/episode/base.js";
import type { NavGraph } from "../../core/scene/graph.js";
import { check, type DataLocation, errorAt, idSchema, subjectOf, whereOf } from "../check.js";
import type { DatasetFormat } from "../format.js";
import { pathOn, placeOn, requireGraphs, rotationOfR2rHeading } from "../graph-path.js";
import { graphSubmission } from "../graph-submission.js";
import { readEach } from "../read-each.js";
import { hasKeys } from "../readers/json.js";
import { streamList } from "../readers/json-stream.js";

/** Success radius in metres. */
const GOAL_RADIUS = 3;

const utterance = z.looseObject({ role: z.string(), message: z.string() });

const instanceSchema = z.looseObject({
  inst_idx: idSchema,
  scan: z.string().min(1),
  target: z.string().nullish(),
  dialog_history: z.array(utterance).default([]),
  /** The heading is in radians. The elevation has a unit of its own and is not used. */
  start_pano: z.looseObject({ pano: z.string(), heading: z.number().optional() }).optional(),
  // The test split withholds these three.
  player_path: z.array(z.string()).default([]),
  planner_path: z.array(z.string()).default([]),
  end_panos: z.array(z.string()).default([]),
});

type Instance = z.output<typeof instanceSchema>;

/**
 * Navigation from Dialog History (Thomason et al., CoRL 2019): continue towards a target, given the
 * dialogue between navigator and oracle so far.
 */
export const ndhFormat: DatasetFormat = {
  name: "ndh",
  description: "Navigation from Dialog History on Matterport navigation graphs: {split}.json",
  taskTypes: ["vln"],
  profile: "ndh",

  detect: ({ head }) =>
    Array.isArray(head) && hasKeys(head[0], "inst_idx", "scan", "dialog_history"),

  async *episodes(source) {
    const graphs = requireGraphs(source, "ndh");
    const file = source.path;
    yield* readEach(source, streamList(file, "instances"), async ([i, raw, text]) => {
      const subject = subjectOf(raw, "inst_idx", text);
      const at: DataLocation = { file, item: `[${i}]`, subject, text };
      const instance = check(instanceSchema, raw, at);
      const graph = await graphs.graph(instance.scan);
      return episodeOf(instance, graph, source.taskType ?? "vln", at);
    });
  },

  submission: graphSubmission("inst_idx", "ndh"),
};

function episodeOf(
  instance: Instance,
  graph: NavGraph,
  taskType: string,
  at: DataLocation,
): BaseEpisode {
  const trusted = trustedPath(instance);
  const path = pathOn(graph, instance[trusted], at, trusted);
  const goal = path.at(-1);
  const { start_pano, end_panos } = instance;
  const start = start_pano ? placeOn(graph, start_pano.pano, at, "start_pano.pano") : path[0];
  if (!start) throw errorAt(at, "bad_episode", "has neither start_pano nor a path");
  end_panos.forEach((node, i) => {
    placeOn(graph, node, at, `end_panos[${i}]`);
  });
  return new BaseEpisode(
    {
      episodeId: instance.inst_idx,
      taskType,
      sceneId: instance.scan,
      startState: {
        position: [...start.position],
        rotation: [...rotationOfR2rHeading(start_pano?.heading ?? 0)],
        node: start.node,
      },
      goals: goal
        ? {
            position: [...goal.position],
            node: goal.node,
            radius: GOAL_RADIUS,
            progress_nodes: end_panos,
          }
        : {},
      instruction: {
        text: dialogText(instance),
        target: instance.target ?? null,
        dialog_history: instance.dialog_history,
      },
      referenceData: goal
        ? { path: path.map(({ position }) => [...position]), nodes: instance[trusted] }
        : null,
    },
    whereOf(at),
  );
}

/**
 * Uses the player's path if it passes the planner's goal after its start. Otherwise the player got lost,
 * and the planner's path is used.
 */
function trustedPath({ player_path, planner_path }: Instance): "player_path" | "planner_path" {
  const goal = planner_path.at(-1);
  return goal !== undefined && player_path.indexOf(goal, 1) !== -1 ? "player_path" : "planner_path";
}

function dialogText({ target, dialog_history }: Instance): string {
  const lines = dialog_history.map(({ role, message }) => {
    return `${role.slice(0, 1).toUpperCase()}${role.slice(1)}: ${message.trim()}`;
  });
  return [...(target ? [`Target: ${target}`] : []), ...lines].join("\n");
}
