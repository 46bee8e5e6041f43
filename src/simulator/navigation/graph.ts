import { z } from "zod";
import { type BaseEpisode, goalPoints } from "../../core/episode/base.js";
import { ConfigError, DataError, ProtocolError } from "../../core/errors.js";
import { type Action, actionArgument, actionName, STOP } from "../../core/interfaces/action.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type {
  BaseSimulator,
  PrivilegedView,
  SimulatorFactory,
  SimulatorFrame,
  SimulatorOptions,
} from "../../core/interfaces/simulator.js";
import {
  bearing,
  headingToQuatXyzw,
  quatXyzwToHeading,
  wrapAngle,
} from "../../core/math/rotation.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";
import type { GraphSource, NavGraph } from "../../core/scene/graph.js";
import {
  distanceToAny,
  type SceneDistance,
  type ScenePoint,
} from "../../core/scene/scene-point.js";
import { ActionSpace } from "../../core/task/types.js";
import { checkScenes } from "../check-scenes.js";
import { compass, gps, type Pose } from "./kinematics.js";

const SENSORS = ["instruction", "gps", "compass", "heading", "viewpoint", "candidates"] as const;

/** The keys of `simulator:` that it reads. Its sensors have no settings. */
const graphConfig = z.object({
  // Matterport3DSimulator turns by 30.
  turn_angle: z.number().gt(0).max(180).describe("degrees per turn action").default(15),
  sensors: z.record(z.string(), z.object({})).optional(),
});

/** `move_forward` moves to the neighbour nearest to straight ahead, if one lies within this angle. */
const AHEAD_RAD = Math.PI / 4;

/**
 * Navigation on a graph of viewpoints, as in the original R2R and NDH. The robot stands on a node and moves
 * along edges, by `goto:<node>` or by turning and `move_forward`. There are no cameras.
 */
export class GraphSimulator implements BaseSimulator {
  readonly actionSpace: ActionSpace;
  readonly missingSensors: readonly string[];
  readonly distance: SceneDistance = (from, to) => this.#world.graph.distance(from, to);
  readonly privileged: PrivilegedView;

  readonly #graphs: GraphSource;
  readonly #turnRad: number;
  readonly #observed: readonly (typeof SENSORS)[number][];
  #current: World | undefined;
  #node = "";
  #heading = 0;

  constructor(options: SimulatorOptions) {
    if (!options.graphs) {
      throw new ConfigError("no_graphs", "the graph simulator has no navigation graphs", {
        hint: "set dataset.<x>.connectivity or simulator.connectivity to the folder of <scene>_connectivity.json files",
      });
    }
    this.#graphs = options.graphs;
    this.#turnRad = (graphConfig.parse(options.config).turn_angle * Math.PI) / 180;
    // A task that lists its actions keeps exactly those; otherwise `goto` is added.
    const base = options.task.actionSpace;
    const listed = options.task.config.actions !== undefined;
    const actions = base.actions ?? [];
    this.actionSpace = listed
      ? base
      : new ActionSpace({
          name: "discrete",
          actions: [...actions.filter((name) => !name.startsWith("look_")), "goto"],
          ...(base.semantics ? { semantics: base.semantics } : {}),
        });
    const { sensors } = options.config;
    const asked = isRecord(sensors) ? Object.keys(sensors) : SENSORS;
    this.#observed = SENSORS.filter((name) => asked.includes(name));
    this.missingSensors = asked.filter((name) => !SENSORS.some((sensor) => sensor === name));
    this.privileged = {
      place: () => this.#world.graph.place(this.#node),
      heading: () => this.#heading,
      turnRad: this.#turnRad,
      goals: () => this.#world.goals,
      distance: this.distance,
      shortestPath: (to) => {
        const { graph } = this.#world;
        return graph.shortestPath(this.#node, graph.locate(to)).map((node) => graph.place(node));
      },
    };
  }

  async reset(episode: BaseEpisode): Promise<SimulatorFrame> {
    const graph = await this.#graphs.graph(episode.sceneId);
    const { position, node, rotation } = episode.startState;
    if (node === undefined && position === undefined) {
      throw new DataError(
        "no_start",
        `episode ${episode.episodeId} has no start_state.position or node`,
      );
    }
    const goals = goalsOn(graph, episode);
    if (goals.length === 0) {
      throw new DataError("no_goal", `episode ${episode.episodeId} has no goal`, {
        hint: "public test splits omit the goals: run a split that has goals",
      });
    }
    for (const goal of goals) graph.locate(goal);
    this.#node = graph.locate({ position: position ?? [0, 0, 0], node });
    this.#heading = rotation ? quatXyzwToHeading(rotation) : 0;
    this.#current = {
      graph,
      goals,
      episode,
      start: { position: graph.position(this.#node), headingRad: this.#heading },
    };
    return this.#frame(false);
  }

  step(action: Action): SimulatorFrame {
    if (typeof action !== "string") {
      throw new ProtocolError("bad_action", "a navigation graph takes named actions, not a vector");
    }
    if (actionName(action) !== "goto" && actionArgument(action) !== undefined) {
      throw new ProtocolError("bad_action", `"${action}": only goto takes an argument`);
    }
    switch (actionName(action)) {
      case STOP:
        return this.#frame(false);
      case "turn_left":
        this.#heading = wrapAngle(this.#heading + this.#turnRad);
        return this.#frame(false);
      case "turn_right":
        this.#heading = wrapAngle(this.#heading - this.#turnRad);
        return this.#frame(false);
      case "move_forward":
        return this.#frame(!this.#forward());
      case "goto":
        this.#goto(actionArgument(action));
        return this.#frame(false);
      default:
        throw new ProtocolError("bad_action", `a navigation graph has no action "${action}"`);
    }
  }

  close(): void {
    this.#current = undefined;
  }

  get #world(): World {
    if (!this.#current) throw new Error("the simulator was used before its first reset");
    return this.#current;
  }

  /** Moves to the neighbour ahead; false if there is none. The heading does not change. */
  #forward(): boolean {
    const { graph } = this.#world;
    const here = graph.position(this.#node);
    let ahead: string | undefined;
    let least = AHEAD_RAD;
    for (const node of graph.neighbours(this.#node)) {
      const off = Math.abs(wrapAngle(bearing(here, graph.position(node)) - this.#heading));
      if (off < least) {
        least = off;
        ahead = node;
      }
    }
    if (ahead !== undefined) this.#node = ahead;
    return ahead !== undefined;
  }

  #goto(node: string | undefined): void {
    const { graph } = this.#world;
    if (node === undefined || !graph.has(node) || !graph.adjacent(this.#node, node)) {
      throw new ProtocolError(
        "bad_action",
        `goto:${node ?? ""} does not name a neighbour of viewpoint ${this.#node}`,
        { hint: `valid now: ${graph.neighbours(this.#node).join(", ")}` },
      );
    }
    const from = graph.position(this.#node);
    this.#node = node;
    this.#heading = bearing(from, graph.position(node));
  }

  #frame(collided: boolean): SimulatorFrame {
    const { graph, goals } = this.#world;
    const position = graph.position(this.#node);
    return {
      observation: this.#observe(position),
      state: {
        position,
        rotation: headingToQuatXyzw(this.#heading),
        heading: this.#heading,
        node: this.#node,
        distance_to_goal: distanceToAny(this.distance, { position, node: this.#node }, goals),
        collided,
      },
    };
  }

  #observe(position: Vec3): Observation {
    return Object.fromEntries(this.#observed.map((name) => [name, this.#reading(name, position)]));
  }

  #reading(name: (typeof SENSORS)[number], position: Vec3): unknown {
    const { episode, start } = this.#world;
    switch (name) {
      case "instruction":
        return episode.instruction;
      case "gps":
        return gps(start, position);
      case "compass":
        return [compass(start, this.#heading)];
      case "heading":
        return this.#heading;
      case "viewpoint":
        return this.#node;
      case "candidates":
        return this.#candidates(position);
    }
  }

  #candidates(position: Vec3): unknown {
    const { graph } = this.#world;
    return graph.neighbours(this.#node).map((node) => {
      const to = graph.position(node);
      const flat = Math.hypot(to[0] - position[0], to[2] - position[2]);
      return {
        viewpoint: node,
        heading: wrapAngle(bearing(position, to) - this.#heading),
        elevation: Math.atan2(to[1] - position[1], flat),
        distance: distance3(position, to),
      };
    });
  }
}

/** The alternative goals of an episode. A goal may be given by its node alone, like the start. */
function goalsOn(graph: NavGraph, episode: BaseEpisode): ScenePoint[] {
  const places = goalPoints(episode);
  const { node, nodes = node === undefined ? [] : [node] } = episode.goals;
  return places.length > 0 ? places : nodes.map((name) => graph.place(name));
}

interface World {
  readonly graph: NavGraph;
  readonly goals: readonly ScenePoint[];
  readonly episode: BaseEpisode;
  readonly start: Pose;
}

export const graphSimulatorFactory: SimulatorFactory = {
  description: "navigation graph (R2R, NDH): viewpoints and edges, no cameras",
  families: ["navigation"],
  sensors: SENSORS,
  states: ["position", "distance_to_goal"],
  observesAll: true,
  needsGraphs: true,
  configSchema: graphConfig,
  checkWorlds: async ({ graphs }, episodes) =>
    (await checkScenes(episodes, async (sceneId) => graphs?.graph(sceneId))).problems,
  create: (options) => new GraphSimulator(options),
};
