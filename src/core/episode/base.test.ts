import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../errors.js";
import { BaseEpisode, type EpisodeInit, episodeKey, goalPoints, referencePoints } from "./base.js";

const least = { episodeId: "e1", taskType: "vln", sceneId: "s1" };

/** The message of the DataError that an episode with these fields causes. */
function rejection(dict: Readonly<Record<string, unknown>>): string {
  try {
    BaseEpisode.fromDict({ episode_id: "e1", task_type: "vln", scene_id: "s1", ...dict }, "f:3");
  } catch (error) {
    if (error instanceof DataError) {
      expect(error.code).toBe("bad_episode");
      expect(error.where).toBe("f:3");
      return error.message;
    }
    throw error;
  }
  throw new Error("the episode was accepted");
}

describe("an episode", () => {
  it("an episode requires an id, a task type and a scene, and has empty defaults for the rest", () => {
    const episode = new BaseEpisode(least);
    expect(episode).toMatchObject(least);
    expect(episode.startState).toEqual({});
    expect(episode.goals).toEqual({});
    expect(episode.instruction).toEqual({});
    expect(episode.referenceData).toBeNull();
    expect(episode.taskConfig).toEqual({});
    expect(episode.simParams).toEqual({});
  });

  it("an episode keeps every field that it is created with", () => {
    const init: EpisodeInit = {
      ...least,
      startState: {
        position: [1, 2, 3],
        rotation: [0, 0, 0, 1],
        node: "a",
        base_pose: [0, 0, 0.5],
        joint_positions: [0, 0.1],
      },
      goals: {
        position: [1, 0, 0],
        positions: [[1, 0, 0]],
        view_points: [[2, 0, 0]],
        node: "b",
        nodes: ["b"],
        radius: 0.2,
      },
      instruction: { text: "Go", tokens: [1, 2] },
      referenceData: {
        path: [[0, 0, 0]],
        nodes: ["a"],
        dense_path: [[0, 0, 0]],
        trajectory: { qpos: [[0]], ee_pose: [[0]], actions: [[0]] },
      },
      taskConfig: { robot_config: { dof: 7 } },
      simParams: { max_steps: 10, timeout: 2.5, time_step: 0.002 },
    };
    const episode = new BaseEpisode(structuredClone(init));
    expect(episode).toMatchObject(init);
    expect(BaseEpisode.fromDict(episode.toDict())).toEqual(episode);
  });

  it("an episode keeps fields that are not in the schema", () => {
    const episode = new BaseEpisode({
      ...least,
      startState: { lights: "off" },
      goals: { object_category: "chair" },
    });
    expect(episode.startState.lights).toBe("off");
    expect(episode.goals.object_category).toBe("chair");
  });

  it("an episode does not change when the caller changes the objects it was created from", () => {
    const goals: { radius: number } = { radius: 1 };
    const episode = new BaseEpisode({ ...least, goals });
    goals.radius = 2;
    expect(episode.goals.radius).toBe(1);
  });

  it("an episode does not copy the lists of points that it is created with", () => {
    const view_points: [number, number, number][] = [[1, 2, 3]];
    const path: [number, number, number][] = [[4, 5, 6]];
    const episode = new BaseEpisode({ ...least, goals: { view_points }, referenceData: { path } });
    expect(episode.goals.view_points).toBe(view_points);
    expect(episode.referenceData?.path).toBe(path);
  });
});

describe("an invalid episode", () => {
  it.each([
    [{ start_state: { position: [1, 2] } }, "start_state.position"],
    [{ start_state: { position: [1, 2, "3"] } }, "start_state.position.2"],
    [{ start_state: { position: [1, 2, Number.NaN] } }, "start_state.position.2"],
    [{ start_state: { position: [1, 2, Number.POSITIVE_INFINITY] } }, "start_state.position.2"],
    [{ start_state: { rotation: [0, 0, 1] } }, "start_state.rotation"],
    [{ start_state: { rotation: [0, 0, 0, 1, 0] } }, "start_state.rotation"],
    [{ start_state: { rotation: [0, 0, 0, 2] } }, "start_state.rotation"],
    [{ start_state: { rotation: [0, 0, 0, 0] } }, "start_state.rotation"],
    [{ start_state: { joint_positions: [0, null] } }, "start_state.joint_positions.1"],
    [{ start_state: { base_pose: [0, 0] } }, "start_state.base_pose"],
    [{ goals: { radius: -1 } }, "goals.radius"],
    [{ goals: { positions: [[0, 0, 0], [1]] } }, "goals.positions.1"],
    [
      {
        goals: {
          view_points: [
            [0, 0, 0],
            [0, "1", 0],
          ],
        },
      },
      "goals.view_points.1.1",
    ],
    [{ goals: { view_points: {} } }, "goals.view_points"],
    [{ goals: { view_points: null } }, "goals.view_points"],
    [{ goals: [] }, "goals"],
    [{ instruction: "Go" }, "instruction"],
    [{ instruction: { text: 5 } }, "instruction.text"],
    [{ reference_data: { path: [[0, 0]] } }, "reference_data.path.0"],
    [{ reference_data: { trajectory: { qpos: [0] } } }, "reference_data.trajectory.qpos.0"],
    [{ task_config: 3 }, "task_config"],
    [{ sim_params: { max_steps: 0 } }, "sim_params.max_steps"],
    [{ sim_params: { max_steps: 2.5 } }, "sim_params.max_steps"],
    [{ sim_params: { timeout: -1 } }, "sim_params.timeout"],
  ])("an invalid episode is rejected with its id and the field: %j", (dict, field) => {
    expect(rejection(dict)).toMatch(new RegExp(`^episode e1, ${field.replaceAll(".", "\\.")}: `));
  });

  it("an invalid episode is rejected with the value received", () => {
    expect(rejection({ goals: { radius: -1 } })).toMatch(/got -1$/);
    expect(rejection({ start_state: { rotation: [0, 0, 0, 2] } })).toMatch(
      /a rotation quaternion \[x, y, z, w\] must have length 1, got \[0,0,0,2\]$/,
    );
  });

  it.each(["episode_id", "task_type", "scene_id"])(
    "an invalid episode is rejected for a missing or empty %s",
    (field) => {
      expect(rejection({ [field]: "" })).toContain(`${field}: `);
      expect(rejection({ [field]: undefined })).toMatch(new RegExp(`${field}: .*got nothing$`));
    },
  );

  it("an invalid episode is rejected if it is not an object", () => {
    for (const raw of [null, 5, "x", []]) {
      expect(() => BaseEpisode.fromDict(raw)).toThrow(DataError);
    }
  });

  it("an invalid episode is rejected by the constructor too", () => {
    expect(() => new BaseEpisode({ ...least, goals: { position: [0, 0, Number.NaN] } })).toThrow(
      "episode e1, goals.position.2",
    );
  });
});

describe("a rotation", () => {
  it("a rotation is accepted with the rounding errors of single precision", () => {
    const rotation: [number, number, number, number] = [0, Math.fround(0.6), 0, Math.fround(0.8)];
    expect(() => new BaseEpisode({ ...least, startState: { rotation } })).not.toThrow();
  });
});

const coordinate = fc.double({ noNaN: true, noDefaultInfinity: true });
const point = fc.tuple(coordinate, coordinate, coordinate);
const name = fc.string({ minLength: 1 });
const key = fc.string().filter((text) => text !== "__proto__");
const optional = { requiredKeys: [] };
const episodeDict = fc.record({
  episode_id: name,
  task_type: name,
  scene_id: name,
  start_state: fc.record(
    {
      position: point,
      rotation: fc
        .double({ min: -Math.PI, max: Math.PI, noNaN: true })
        .map((angle) => [0, Math.sin(angle), 0, Math.cos(angle)]),
      node: name,
      joint_positions: fc.array(coordinate),
    },
    optional,
  ),
  goals: fc.record(
    {
      position: point,
      positions: fc.array(point),
      radius: fc.float({ min: 0, max: 9, noNaN: true }),
    },
    optional,
  ),
  instruction: fc.record({ text: fc.string(), tokens: fc.array(fc.nat()) }, optional),
  reference_data: fc.option(fc.record({ path: fc.array(point) }, optional)),
  task_config: fc.dictionary(key, fc.jsonValue()),
  sim_params: fc.record({ max_steps: fc.integer({ min: 1 }) }, optional),
});

describe("the dict of an episode", () => {
  it("the dict of an episode gives an equal episode when read back", () => {
    fc.assert(
      fc.property(episodeDict, (dict) => {
        const episode = BaseEpisode.fromDict(dict);
        expect(episode.toDict()).toEqual(dict);
        expect(BaseEpisode.fromDict(episode.toDict())).toEqual(episode);
      }),
    );
  });

  it("the dict of an episode is unchanged by a round trip through JSON", () => {
    fc.assert(
      fc.property(episodeDict, (dict) => {
        // JSON has no -0.
        const plain: unknown = JSON.parse(JSON.stringify(dict));
        const text = JSON.stringify(BaseEpisode.fromDict(plain).toDict());
        expect(JSON.parse(text)).toEqual(plain);
      }),
    );
  });

  it("the dict of an episode keeps the positions of start and goal in separate objects", () => {
    const dict = new BaseEpisode({
      ...least,
      startState: { position: [1, 0, 0] },
      goals: { position: [2, 0, 0] },
    }).toDict();
    expect(dict.start_state.position).toEqual([1, 0, 0]);
    expect(dict.goals.position).toEqual([2, 0, 0]);
    expect(dict).not.toHaveProperty("position");
  });
});

describe("goalPoints", () => {
  it("goalPoints prefers the view points, then the list of positions, then the single position", () => {
    const view_points: [number, number, number][] = [[3, 0, 0]];
    const positions: [number, number, number][] = [
      [1, 0, 0],
      [2, 0, 0],
    ];
    const one = { position: [0, 0, 0] as [number, number, number], node: "z" };
    expect(goalPoints(new BaseEpisode({ ...least, goals: one }))).toEqual([one]);
    expect(
      goalPoints(new BaseEpisode({ ...least, goals: { ...one, positions, nodes: ["a", "b"] } })),
    ).toEqual([
      { position: [1, 0, 0], node: "a" },
      { position: [2, 0, 0], node: "b" },
    ]);
    expect(
      goalPoints(new BaseEpisode({ ...least, goals: { ...one, positions, view_points } })),
    ).toEqual([{ position: [3, 0, 0] }]);
  });

  it("goalPoints is empty when the episode has no goal, and skips empty lists", () => {
    expect(goalPoints(new BaseEpisode(least))).toEqual([]);
    const goals = {
      view_points: [],
      positions: [],
      position: [1, 0, 0] as [number, number, number],
    };
    expect(goalPoints(new BaseEpisode({ ...least, goals }))).toHaveLength(1);
  });
});

describe("referencePoints", () => {
  const path: [number, number, number][] = [
    [0, 0, 0],
    [1, 0, 0],
  ];
  const dense_path: [number, number, number][] = [...path, [2, 0, 0]];

  it("referencePoints includes node names if the episode has them", () => {
    const episode = new BaseEpisode({ ...least, referenceData: { path, nodes: ["a", "b"] } });
    expect(referencePoints(episode, "path")).toEqual([
      { position: [0, 0, 0], node: "a" },
      { position: [1, 0, 0], node: "b" },
    ]);
  });

  it("referencePoints uses the dense path if it is requested and exists", () => {
    const both = new BaseEpisode({ ...least, referenceData: { path, dense_path } });
    expect(referencePoints(both, "dense")).toHaveLength(3);
    expect(referencePoints(both, "path")).toHaveLength(2);
    const plain = new BaseEpisode({ ...least, referenceData: { path } });
    expect(referencePoints(plain, "dense")).toHaveLength(2);
    expect(referencePoints(new BaseEpisode(least), "path")).toEqual([]);
  });
});

describe("the key of an episode", () => {
  it("the key of an episode consists of task, scene and id", () => {
    expect(episodeKey("vln", "scene", "7")).toBe("vln/scene/7");
  });

  it("the key of an episode is unique, even if scene names and ids contain slashes", () => {
    expect(episodeKey("vln", "mp3d/a", "1")).not.toBe(episodeKey("vln", "mp3d", "a/1"));
    const names = fc.tuple(fc.constantFrom("vln", "nav"), name, name);
    fc.assert(
      fc.property(names, names, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(episodeKey(...a)).not.toBe(episodeKey(...b));
      }),
    );
  });
});
