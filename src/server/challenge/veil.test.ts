import { describe, expect, it } from "vitest";
import type { MessageOf } from "../../api/messages/base.js";
import { Veil } from "./veil.js";

const SECRET = Buffer.alloc(32, 7);
const HIDDEN = { hidden: true, disclose: [] };

function veil(submission = "one", phase: ConstructorParameters<typeof Veil>[2] = HIDDEN) {
  return new Veil(SECRET, submission, phase);
}

function reset(more: Record<string, unknown> = {}): MessageOf<"reset_episode"> {
  return {
    type: "reset_episode",
    session_id: "s",
    seq: 3,
    episode: {
      episode_id: "val_007",
      task_type: "vln",
      scene_id: "house_03",
      instruction: { text: "Go to the sofa.", instruction_id: 17, annotator_id: 4, tokens: [1, 2] },
      start_position: [1.25, 0, 7.5],
      start_rotation: [0, 0, 0, 1],
      goals: { position: [4.125, 0, 2.5] },
      reference_path: [[1, 2, 3]],
      action_space: { name: "discrete" },
      sensors: ["rgb"],
      seed: 987654321,
      later: "a field of a newer protocol",
      ...more,
    },
  };
}

function observed(observation: Record<string, unknown>): MessageOf<"get_action"> {
  return { type: "get_action", session_id: "s", task_type: "vln", observation, step: 2, seq: 5 };
}

describe("a hidden episode", () => {
  it("shows what is asked and nothing else", () => {
    expect(veil().reset(reset()).episode).toEqual({
      episode_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      task_type: "vln",
      scene_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      instruction: { text: "Go to the sofa.", tokens: [1, 2] },
      start_position: null,
      start_rotation: null,
      goals: null,
      reference_path: null,
      action_space: { name: "discrete" },
      sensors: ["rgb"],
      seed: expect.any(Number),
    });
    expect(veil().reset(reset()).episode.seed).not.toBe(987654321);
  });

  it("of ObjectNav shows what to look for, and not where it is", () => {
    const goals = { object_category: "sofa", positions: [[1, 2, 3]] };
    const { episode } = veil().reset(reset({ task_type: "objectnav", goals }));
    expect(episode.goals).toEqual({ object_category: "sofa" });
  });

  it("of manipulation keeps goals, objects and trajectory to itself unless the phase discloses them", () => {
    const parts = { goals: { target: [1] }, scene_objects: [{ name: "cup" }] };
    const message = reset({
      ...parts,
      reference_trajectory: [1],
      robot_config: { robot: "panda" },
    });
    expect(veil().reset(message).episode).toMatchObject({
      ...{ goals: null, scene_objects: null, reference_trajectory: null },
      robot_config: { robot: "panda" },
    });
    const open = veil("one", { hidden: true, disclose: ["goals", "objects", "start"] });
    expect(open.reset(message).episode).toMatchObject({
      ...parts,
      ...{ reference_trajectory: null, reference_path: null },
      start_position: [1.25, 0, 7.5],
    });
  });

  it("has the same names within a submission, others in each repeat and in every other submission", () => {
    const id = (submission: string, more = {}) => veil(submission).reset(reset(more)).episode;
    expect(id("one")).toEqual(id("one"));
    expect(id("one").episode_id).not.toBe(id("one", { seed: 2 }).episode_id);
    expect(id("one").scene_id).toBe(id("one", { seed: 2 }).scene_id);
    for (const key of ["episode_id", "scene_id", "seed"] as const) {
      expect(id("one")[key]).not.toBe(id("two")[key]);
    }
  });

  it("ends without a word about how", () => {
    const veiled = veil();
    const { episode } = veiled.reset(reset());
    const end = veiled.end({
      ...{ type: "episode_end", session_id: "s", episode_id: "val_007" },
      ...{ reason: "success", steps: 12, metrics: { success: 1 } },
    });
    expect(end).toEqual({
      ...{ type: "episode_end", session_id: "s", episode_id: episode.episode_id },
      ...{ reason: "over", steps: 12 },
    });
  });

  it("asks for actions with what is seen, and nothing beside it", () => {
    const asked = { ...observed({ gps: [0, 1] }), later: "a field of a newer protocol" };
    expect(veil().observation(asked)).toEqual({
      ...{ type: "get_action", session_id: "s", task_type: "vln", step: 2 },
      observation: { gps: [0, 1] },
    });
  });

  it("has viewpoints of other names, by which a policy can go to them", () => {
    const veiled = veil();
    const { observation } = veiled.observation(
      observed({
        ...{ viewpoint: "study", gps: [0, 1, 2], instruction: { text: "Go.", path_id: 5 } },
        candidates: [{ viewpoint: "laundry_room", heading: 0.5 }],
      }),
    );
    expect(observation).toMatchObject({ gps: [0, 1, 2], instruction: { text: "Go." } });
    expect(JSON.stringify(observation)).not.toMatch(/study|laundry|path_id/);
    const [{ viewpoint }] = observation.candidates as [{ viewpoint: string }];
    const action = { type: "action", session_id: "s" } as const;
    const inside = { ...action, action: "goto:laundry_room" };
    expect(veiled.action({ ...action, action: `goto:${viewpoint}` })).toEqual(inside);
    expect(veiled.action({ ...action, action: { name: `goto:${viewpoint}` } })).toEqual({
      ...action,
      action: { name: "goto:laundry_room" },
    });
    expect(veiled.action({ ...action, actions: ["stop", `goto:${viewpoint}`] })).toEqual({
      ...action,
      actions: ["stop", "goto:laundry_room"],
    });
  });
});

describe("a phase that hides nothing", () => {
  it("is told as it is", () => {
    const open = veil("one", { hidden: false, disclose: [] });
    expect(open.reset(reset())).toEqual(reset());
    expect(open.observation(observed({ viewpoint: "study" }))).toEqual(
      observed({ viewpoint: "study" }),
    );
  });
});
