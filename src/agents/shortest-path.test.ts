import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type TinyNode,
  tinyEpisode,
  tinyGraph,
  tinyGraphs,
} from "../../test/support/tiny-world.js";
import type { BaseEpisode } from "../core/episode/base.js";
import { ConfigError, DataError } from "../core/errors.js";
import { distance3, type Vec3 } from "../core/math/vec3.js";
import { type GraphSource, NavGraph } from "../core/scene/graph.js";
import { GraphSimulator } from "../simulator/navigation/graph.js";
import { VLNTask } from "../tasks/vln/task.js";
import { ShortestPathAgent } from "./shortest-path.js";

const TURNS = ["stop", "move_forward", "turn_left", "turn_right"];

/** Runs the agent until it stops; returns its actions and path length. */
async function follow(
  episode: BaseEpisode,
  actions: readonly string[] | undefined,
  graphs: GraphSource = tinyGraphs(),
) {
  const task = new VLNTask(actions ? { actions } : {});
  const sim = new GraphSimulator({ task, config: {}, graphs });
  const agent = new ShortestPathAgent();
  let { state } = await sim.reset(episode);
  agent.reset({
    taskType: "vln",
    episodeId: episode.episodeId,
    sceneId: episode.sceneId,
    episodeKey: "k",
    episode: {},
    actionSpace: sim.actionSpace,
    seed: 0,
    privileged: sim.privileged,
  });
  const taken: string[] = [];
  let walkedM = 0;
  while (taken.at(-1) !== "stop" && taken.length < 200) {
    const action = String(agent.act());
    const before = state.position;
    ({ state } = sim.step(action));
    if (before && state.position) walkedM += distance3(before, state.position);
    taken.push(action);
  }
  return { taken, walkedM, state };
}

const node = fc.constantFrom<TinyNode>("a", "b", "c", "d", "e");
const heading = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });

describe("ShortestPathAgent", () => {
  it("ShortestPathAgent moves between viewpoints if the task has goto", async () => {
    const { taken } = await follow(tinyEpisode("a", "d"), undefined);
    expect(taken).toEqual(["goto:b", "goto:e", "goto:d", "stop"]);
  });

  it("ShortestPathAgent turns and walks if the task has only these actions", async () => {
    const { taken, state } = await follow(tinyEpisode("a", "e"), TURNS);
    // b is straight ahead; from there e is a quarter turn to the right, six turns of 15 degrees.
    expect(taken).toEqual([
      "move_forward",
      ...Array.from({ length: 6 }, () => "turn_right"),
      "move_forward",
      "stop",
    ]);
    expect(state.node).toBe("e");
  });

  it.each([undefined, TURNS])(
    "ShortestPathAgent walks no farther than the shortest path with %j",
    async (actions) => {
      const graph = tinyGraph();
      await fc.assert(
        fc.asyncProperty(node, node, heading, async (from, to, start) => {
          const episode = tinyEpisode(from, to, { heading: start });
          const { taken, walkedM, state } = await follow(episode, actions);
          expect(taken.at(-1)).toBe("stop");
          expect(state.node).toBe(to);
          expect(walkedM).toBeCloseTo(graph.distance(graph.place(from), graph.place(to)), 9);
        }),
        { numRuns: 60 },
      );
    },
  );

  it("ShortestPathAgent goes to the nearest of several goals", async () => {
    const goals = {
      positions: [
        [3, 1, -4],
        [0, 0, -4],
      ] as [number, number, number][],
      nodes: ["d", "c"],
    };
    const { state } = await follow(tinyEpisode("a", "d", { goals }), undefined);
    expect(state.node).toBe("c");
  });

  it("ShortestPathAgent stops at once at the goal", async () => {
    expect((await follow(tinyEpisode("c", "c"), TURNS)).taken).toEqual(["stop"]);
  });

  it("ShortestPathAgent does not turn past its next viewpoint to the adjacent one", async () => {
    // Straight ahead is 4 degrees off the goal; after one turn to the left it would be 5 degrees off the adjacent
    // node.
    const at = (degrees: number): Vec3 => {
      const rad = (degrees * Math.PI) / 180;
      return [-10 * Math.sin(rad), 0, -10 * Math.cos(rad)];
    };
    const graph = new NavGraph(
      "fork",
      [
        { id: "start", position: [0, 0, 0] },
        { id: "beside", position: at(20) },
        { id: "goal", position: at(4) },
      ],
      [
        [0, 1],
        [0, 2],
      ],
    );
    const episode = tinyEpisode("a", "d", {
      sceneId: "fork",
      startState: { node: "start", position: [0, 0, 0] },
      goals: { node: "goal", position: [...at(4)] },
      referenceData: null,
    });
    const { taken, walkedM } = await follow(episode, TURNS, {
      graph: () => Promise.resolve(graph),
    });
    expect(taken.at(-1)).toBe("stop");
    expect(walkedM).toBeCloseTo(10, 9);
  });

  it("ShortestPathAgent reports that no goal is reachable", async () => {
    await expect(follow(tinyEpisode("a", "f"), undefined)).rejects.toThrow(DataError);
  });

  it("ShortestPathAgent requires privileged state and an episode", () => {
    const { actionSpace } = new VLNTask();
    const agent = new ShortestPathAgent();
    const told = { taskType: "vln", episodeId: "e", sceneId: "s", episodeKey: "k", seed: 0 };
    expect(() => agent.reset({ ...told, episode: {}, actionSpace })).toThrow(ConfigError);
    expect(() => agent.act()).toThrow("before reset");
  });
});
