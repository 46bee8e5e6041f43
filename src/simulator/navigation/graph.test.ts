import { describe, expect, it } from "vitest";
import { type TinyNode, tinyEpisode, tinyGraphs } from "../../../test/support/tiny-world.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError, ProtocolError } from "../../core/errors.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type { SimulatorFrame } from "../../core/interfaces/simulator.js";
import type { TaskConfig } from "../../core/task/base.js";
import { ObjectNavTask } from "../../tasks/objectnav/task.js";
import { VLNTask } from "../../tasks/vln/task.js";
import { GraphSimulator } from "./graph.js";

const DEG = Math.PI / 180;

function simulator(taskConfig: TaskConfig = {}, config: Record<string, unknown> = {}) {
  return new GraphSimulator({ task: new VLNTask(taskConfig), config, graphs: tinyGraphs() });
}

/** A simulator reset to a viewpoint, facing `degrees` to the left of -z. */
async function standing(node: TinyNode, degrees = 0) {
  const sim = simulator();
  const first = await sim.reset(tinyEpisode(node, "d", { heading: degrees * DEG }));
  return { sim, first };
}

function numbers(observation: Observation, sensor: string): number[] {
  const value = observation[sensor];
  if (!Array.isArray(value)) throw new Error(`${sensor} is not a list`);
  return value.map(Number);
}

function headingOf({ state }: SimulatorFrame): number {
  return (state.heading ?? Number.NaN) / DEG;
}

describe("GraphSimulator turn_left and turn_right", () => {
  it("GraphSimulator turns by 15 degrees by default, positive to the left", async () => {
    const { sim } = await standing("a");
    expect(headingOf(sim.step("turn_left"))).toBeCloseTo(15, 9);
    expect(headingOf(sim.step("turn_right"))).toBeCloseTo(0, 9);
    expect(headingOf(sim.step("turn_right"))).toBeCloseTo(-15, 9);
  });

  it("GraphSimulator turns by the configured turn_angle", async () => {
    const sim = simulator({}, { turn_angle: 30 });
    await sim.reset(tinyEpisode("a", "d"));
    expect(headingOf(sim.step("turn_left"))).toBeCloseTo(30, 9);
  });

  it("GraphSimulator returns to the start heading after 24 turns without moving", async () => {
    const { sim, first } = await standing("a");
    let frame = first;
    for (let i = 0; i < 24; i++) frame = sim.step("turn_left");
    expect(headingOf(frame)).toBeCloseTo(0, 9);
    expect(frame.state.position).toEqual(first.state.position);
    expect(frame.state.collided).toBe(false);
  });

  it("a turn changes the recorded rotation", async () => {
    const { sim } = await standing("a");
    const [x, y, z, w] = sim.step("turn_left").state.rotation ?? [];
    expect([x, z]).toEqual([0, 0]);
    expect(y).toBeCloseTo(Math.sin(7.5 * DEG), 12);
    expect(w).toBeCloseTo(Math.cos(7.5 * DEG), 12);
  });
});

describe("GraphSimulator move_forward", () => {
  it("move_forward moves to the neighbour ahead and keeps the heading", async () => {
    const { sim } = await standing("a", 15);
    const frame = sim.step("move_forward");
    expect(frame.state).toMatchObject({ node: "b", position: [0, 0, -2], collided: false });
    expect(headingOf(frame)).toBeCloseTo(15, 9);
  });

  it.each([
    [-30, "c"],
    [-60, "e"],
    [-120, "e"],
    [170, "a"],
  ])(
    "move_forward at %d degrees moves to the neighbour nearest to straight ahead: %s",
    async (degrees, node) => {
      const { sim } = await standing("b", degrees);
      expect(sim.step("move_forward").state.node).toBe(node);
    },
  );

  it("move_forward reports a collision and stays if no neighbour is ahead", async () => {
    const { sim } = await standing("c", 0);
    expect(sim.step("move_forward").state).toMatchObject({ node: "c", collided: true });
    expect(sim.step("turn_left").state.collided).toBe(false);
  });
});

describe("GraphSimulator goto", () => {
  it("goto moves to the named viewpoint and faces the direction of travel", async () => {
    const { sim } = await standing("b", 90);
    const frame = sim.step("goto:e");
    expect(frame.state).toMatchObject({ node: "e", position: [2, 0, -2], collided: false });
    expect(headingOf(frame)).toBeCloseTo(-90, 9);
  });

  it.each(["goto:d", "goto:f", "goto:nowhere", "goto:", "goto", "goto:b"])(
    "goto rejects a target that is not a neighbour as an agent error: %s",
    async (action) => {
      const { sim } = await standing("b");
      expect(() => sim.step(action)).toThrow(ProtocolError);
      try {
        sim.step(action);
      } catch (error) {
        expect(error).toMatchObject({ code: "bad_action", hint: "valid now: a, c, e" });
      }
      expect(sim.step("turn_left").state.node).toBe("b");
    },
  );
});

describe("GraphSimulator step", () => {
  it("stop changes nothing", async () => {
    const { sim, first } = await standing("b", 30);
    expect(sim.step("stop").state).toEqual(first.state);
  });

  it.each<[string, string | readonly number[]]>([
    ["a vector", [0, 1]],
    ["a tilt without a camera", "look_up"],
    ["an unknown name", "fly"],
    ["a turn with an angle", "turn_left:90"],
    ["a move with a distance", "move_forward:2"],
  ])("the graph simulator rejects %s", async (_what, action) => {
    const { sim } = await standing("b");
    expect(() => sim.step(action)).toThrow(ProtocolError);
  });
});

describe("GPS and compass", () => {
  // Habitat's frame: the start pose is the origin, -z is ahead and x is right. This robot starts at b and
  // faces +x, so that ahead is +x, left is -z and right is +z.
  const start = () => standing("b", -90);
  const close = (values: number[], expected: number[]) => {
    expect(values).toHaveLength(expected.length);
    for (const [i, value] of values.entries()) expect(value).toBeCloseTo(expected[i] ?? NaN, 9);
  };

  it("GPS and compass read zero at any start pose", async () => {
    const { first } = await start();
    close(numbers(first.observation, "gps"), [0, 0, 0]);
    close(numbers(first.observation, "compass"), [0]);
  });

  it("GPS reads 2 m ahead after moving 2 m ahead", async () => {
    const { sim } = await start();
    close(numbers(sim.step("goto:e").observation, "gps"), [0, 0, -2]);
  });

  it("GPS reads 2 m to the left after moving along -z", async () => {
    const { sim } = await start();
    close(numbers(sim.step("goto:c").observation, "gps"), [-2, 0, 0]);
  });

  it("GPS reads 2 m to the right after moving along +z", async () => {
    const { sim } = await start();
    close(numbers(sim.step("goto:a").observation, "gps"), [2, 0, 0]);
  });

  it("GPS reports a change of height on the y axis", async () => {
    const { sim } = await start();
    sim.step("goto:e");
    // d is 3 m along +x, 2 m along -z and 1 m up from b.
    close(numbers(sim.step("goto:d").observation, "gps"), [-2, 1, -3]);
  });

  it("the compass reports the turn to the left since the start", async () => {
    const { sim } = await start();
    close(numbers(sim.step("turn_left").observation, "compass"), [15 * DEG]);
    sim.step("turn_right");
    close(numbers(sim.step("turn_right").observation, "compass"), [-15 * DEG]);
    // The robot moved along -z, a quarter turn to the left of +x.
    close(numbers(sim.step("goto:c").observation, "compass"), [90 * DEG]);
  });
});

describe("a GraphSimulator observation", () => {
  it("a graph observation contains the instruction, the viewpoint and the reachable neighbours", async () => {
    const { first } = await standing("b", 90);
    expect(first.observation).toMatchObject({
      instruction: { text: "Go from b to d" },
      viewpoint: "b",
    });
    const { candidates } = first.observation;
    expect(candidates).toMatchObject([
      { viewpoint: "a", distance: 2, elevation: 0 },
      { viewpoint: "c", distance: 2, elevation: 0 },
      { viewpoint: "e", distance: 2, elevation: 0 },
    ]);
    // The robot faces -x, so a (+z) is to its left, c (-z) to its right and e (+x) behind it.
    const headings = (candidates as { heading: number }[]).map(({ heading }) => heading / DEG);
    expect(headings[0]).toBeCloseTo(90, 9);
    expect(headings[1]).toBeCloseTo(-90, 9);
    expect(Math.abs(headings[2] ?? 0)).toBeCloseTo(180, 9);
  });

  it("a graph observation contains the elevation and distance of a neighbour above", async () => {
    const { first } = await standing("e");
    const up = (first.observation.candidates as { viewpoint: string }[]).find(
      ({ viewpoint }) => viewpoint === "d",
    );
    expect(up).toMatchObject({ distance: Math.sqrt(6), elevation: Math.atan2(1, Math.sqrt(5)) });
  });

  it("a graph observation contains nothing about the goal", async () => {
    const { first } = await standing("a");
    expect(Object.keys(first.observation).sort()).toEqual(
      ["candidates", "compass", "gps", "heading", "instruction", "viewpoint"].sort(),
    );
  });
});

describe("GraphSimulator distance_to_goal", () => {
  it("distance_to_goal is the length of the shortest path, through e and not through c", async () => {
    const { first } = await standing("a");
    expect(first.state.distance_to_goal).toBeCloseTo(2 + 2 + Math.sqrt(6), 12);
  });

  it("distance_to_goal is the distance to the nearest of several goals", async () => {
    const goals = {
      positions: [
        [3, 1, -4],
        [0, 0, -4],
      ] as [number, number, number][],
    };
    const { state } = await simulator().reset(tinyEpisode("b", "d", { goals }));
    expect(state.distance_to_goal).toBe(2);
  });

  it("distance_to_goal is Infinity if no path leads to the goal", async () => {
    const { state } = await simulator().reset(tinyEpisode("a", "f"));
    expect(state.distance_to_goal).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the actions and sensors of GraphSimulator", () => {
  it("the graph simulator adds goto to the task actions", () => {
    expect(simulator().actionSpace.actions).toEqual([
      "stop",
      "move_forward",
      "turn_left",
      "turn_right",
      "goto",
    ]);
  });

  it("the graph simulator keeps exactly the actions that the benchmark lists", () => {
    expect(simulator({ actions: ["stop", "goto"] }).actionSpace.actions).toEqual(["stop", "goto"]);
  });

  it("the graph simulator omits actions that need a camera", () => {
    const sim = new GraphSimulator({
      task: new ObjectNavTask(),
      config: {},
      graphs: tinyGraphs(),
    });
    expect(sim.actionSpace.actions).not.toContain("look_up");
  });

  it("the graph simulator observes all its sensors, or exactly the configured ones", async () => {
    const keys = async (config: Record<string, unknown>) =>
      Object.keys((await simulator({}, config).reset(tinyEpisode("a", "d"))).observation);
    const all = ["instruction", "gps", "compass", "heading", "viewpoint", "candidates"];
    expect(await keys({})).toEqual(all);
    const sensors = { viewpoint: {}, compass: {}, rgb: {} };
    expect(await keys({ sensors })).toEqual(["compass", "viewpoint"]);
  });

  it("missingSensors lists the configured sensors that a graph does not support", () => {
    const sensors = { rgb: { width: 640 }, gps: {}, depth: {} };
    expect(simulator({}, { sensors }).missingSensors).toEqual(["rgb", "depth"]);
    expect(simulator().missingSensors).toEqual([]);
  });
});

describe("GraphSimulator reset", () => {
  const reset = (episode: BaseEpisode) => simulator().reset(episode);

  it.each([
    ["no_start", tinyEpisode("a", "d", { startState: {} })],
    ["no_goal", tinyEpisode("a", "d", { goals: {} })],
    ["off_graph", tinyEpisode("a", "d", { goals: { position: [9, 9, 9] } })],
    ["off_graph", tinyEpisode("a", "d", { startState: { position: [0.1, 0, 0] } })],
    ["unknown_node", tinyEpisode("a", "d", { startState: { node: "z" } })],
  ])("the graph simulator rejects an episode with the data error %s", async (code, episode) => {
    await expect(reset(episode)).rejects.toThrow(DataError);
    await expect(reset(episode)).rejects.toMatchObject({ code });
  });

  it("the graph simulator starts an episode that has a position but no node", async () => {
    const frame = await reset(tinyEpisode("a", "d", { startState: { position: [0, 0, -2] } }));
    expect(frame.state).toMatchObject({ node: "b", heading: 0 });
  });
});

describe("GraphSimulator", () => {
  it("GraphSimulator requires navigation graphs and names the config keys", () => {
    const make = () => new GraphSimulator({ task: new VLNTask(), config: {} });
    expect(make).toThrow(ConfigError);
    expect(make).toThrow("no navigation graphs");
  });

  it("GraphSimulator resets all state for every episode", async () => {
    const { sim, first } = await standing("a");
    sim.step("goto:b");
    sim.step("turn_left");
    expect(await sim.reset(tinyEpisode("a", "d"))).toEqual(first);
  });

  it("GraphSimulator exposes its true state to privileged agents", async () => {
    const { sim } = await standing("a", 30);
    const view = sim.privileged;
    expect(view.place()).toEqual({ position: [0, 0, 0], node: "a" });
    expect(view.heading()).toBeCloseTo(30 * DEG, 12);
    expect(view.turnRad).toBeCloseTo(15 * DEG, 12);
    const [goal] = view.goals();
    if (!goal) throw new Error("no goal");
    expect(view.shortestPath(goal).map(({ node }) => node)).toEqual(["a", "b", "e", "d"]);
    expect(view.distance(view.place(), goal)).toBeCloseTo(4 + Math.sqrt(6), 12);
  });
});
