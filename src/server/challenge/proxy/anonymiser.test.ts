import { describe, expect, it } from "vitest";
import type { MessageOf } from "../../../api/messages/base.js";
import { Anonymiser } from "./anonymiser.js";

const SECRET = Buffer.alloc(32, 7);
const HIDDEN = { hidden: true, disclose: [] };

function anonymiser(
  submission = "one",
  phase: ConstructorParameters<typeof Anonymiser>[2] = HIDDEN,
  secret = SECRET,
) {
  return new Anonymiser(secret, submission, phase);
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

describe("the anonymiser, for a hidden episode", () => {
  it("the anonymiser sends the instruction and no other hidden field", () => {
    expect(anonymiser().reset(reset()).episode).toEqual({
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
    expect(anonymiser().reset(reset()).episode.seed).not.toBe(987654321);
  });

  it("the anonymiser sends the object category of ObjectNav and not its position", () => {
    const goals = { object_category: "sofa", positions: [[1, 2, 3]] };
    const { episode } = anonymiser().reset(reset({ task_type: "objectnav", goals }));
    expect(episode.goals).toEqual({ object_category: "sofa" });
  });

  it("the anonymiser hides goals, objects and trajectory of manipulation unless the phase discloses them", () => {
    const parts = { goals: { target: [1] }, scene_objects: [{ name: "cup" }] };
    const message = reset({
      ...parts,
      reference_trajectory: [1],
      robot_config: { robot: "panda" },
    });
    expect(anonymiser().reset(message).episode).toMatchObject({
      ...{ goals: null, scene_objects: null, reference_trajectory: null },
      robot_config: { robot: "panda" },
    });
    const open = anonymiser("one", { hidden: true, disclose: ["goals", "objects", "start"] });
    expect(open.reset(message).episode).toMatchObject({
      ...parts,
      ...{ reference_trajectory: null, reference_path: null },
      start_position: [1.25, 0, 7.5],
    });
  });

  it("the anonymiser keeps names stable within a submission and changes them for each repeat and submission", () => {
    const id = (submission: string, more = {}) => anonymiser(submission).reset(reset(more)).episode;
    expect(id("one")).toEqual(id("one"));
    expect(id("one").episode_id).not.toBe(id("one", { seed: 2 }).episode_id);
    expect(id("one").scene_id).toBe(id("one", { seed: 2 }).scene_id);
    for (const key of ["episode_id", "scene_id", "seed"] as const) {
      expect(id("one")[key]).not.toBe(id("two")[key]);
    }
  });

  it("the anonymiser uses other names with another server secret", () => {
    const other = anonymiser("one", HIDDEN, Buffer.alloc(32, 8)).reset(reset()).episode;
    const { episode } = anonymiser().reset(reset());
    for (const key of ["episode_id", "scene_id", "seed"] as const) {
      expect(other[key]).not.toBe(episode[key]);
    }
  });

  it("the anonymiser names episodes of equal id in different scenes differently", () => {
    const id = (scene_id: string) => anonymiser().reset(reset({ scene_id })).episode.episode_id;
    expect(id("house_03")).not.toBe(id("house_04"));
  });

  it("the anonymiser names a scene and a viewpoint of the same name differently", () => {
    const { viewpoint } = anonymiser().observation(observed({ viewpoint: "house_03" })).observation;
    expect(viewpoint).not.toBe(anonymiser().reset(reset()).episode.scene_id);
  });

  it("the anonymiser uses seeds of 31 bits", () => {
    const seeds = Array.from(
      { length: 64 },
      (_, seed) => anonymiser().reset(reset({ seed })).episode.seed,
    );
    expect(Math.max(...seeds.map(Number))).toBeLessThan(2 ** 31);
  });

  it("the anonymiser shows the language of an instruction and the conventions of its numbers", () => {
    const conventions = { up: "z" };
    const instruction = { text: "Los.", language: "de" };
    expect(anonymiser().reset(reset({ conventions, instruction })).episode).toMatchObject({
      ...{ conventions, instruction },
    });
  });

  it.each([[["val_007", "house_03"]], [7], [true]])(
    "the anonymiser shows no instruction that is neither text nor a record: %j",
    (instruction) => {
      expect(anonymiser().reset(reset({ instruction })).episode.instruction).toBeNull();
    },
  );

  it.each([
    [
      "of a category that is no text",
      { task_type: "objectnav", goals: { object_category: [[1]] } },
    ],
    ["of another task with a category", { goals: { object_category: "sofa" } }],
  ])("the anonymiser shows no goal %s", (_, more) => {
    expect(anonymiser().reset(reset(more)).episode.goals).toBeNull();
  });

  it("the anonymiser forgets the episode of a session when it ends", () => {
    const hidden = anonymiser();
    hidden.reset(reset());
    const end = { type: "episode_end", session_id: "s", episode_id: "val_007" } as const;
    const ended = () => hidden.end({ ...end, reason: "success", steps: 1 }).episode_id;
    expect(ended()).toMatch(/^[0-9a-f]{32}$/);
    expect(ended()).toBe("");
  });

  it("the anonymiser hides the reason for the end of the episode", () => {
    const hidden = anonymiser();
    const { episode } = hidden.reset(reset());
    const end = hidden.end({
      ...{ type: "episode_end", session_id: "s", episode_id: "val_007" },
      ...{ reason: "success", steps: 12, metrics: { success: 1 } },
    });
    expect(end).toEqual({
      ...{ type: "episode_end", session_id: "s", episode_id: episode.episode_id },
      ...{ reason: "over", steps: 12 },
    });
  });

  it("the anonymiser sends observations without hidden fields", () => {
    const asked = { ...observed({ gps: [0, 1] }), later: "a field of a newer protocol" };
    expect(anonymiser().observation(asked)).toEqual({
      ...{ type: "get_action", session_id: "s", task_type: "vln", step: 2 },
      observation: { gps: [0, 1] },
    });
  });

  it("the anonymiser renames viewpoints, and a policy can go to them by the new names", () => {
    const hidden = anonymiser();
    const { observation } = hidden.observation(
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
    expect(hidden.action({ ...action, action: `goto:${viewpoint}` })).toEqual(inside);
    expect(hidden.action({ ...action, action: { name: `goto:${viewpoint}` } })).toEqual({
      ...action,
      action: { name: "goto:laundry_room" },
    });
    expect(hidden.action({ ...action, actions: ["stop", `goto:${viewpoint}`] })).toEqual({
      ...action,
      actions: ["stop", "goto:laundry_room"],
    });
  });
});

describe("the anonymiser, for an agent that guesses viewpoints of a hidden graph", () => {
  const action = { type: "action", session_id: "s" } as const;
  const sent = (hidden: Anonymiser, name: string) => [
    hidden.action({ ...action, action: `goto:${name}` }).action,
    hidden.action({ ...action, action: { name: `goto:${name}` } }).action,
    ...(hidden.action({ ...action, actions: [`goto:${name}`] }).actions ?? []),
  ];

  it("the anonymiser marks guessed names as unknown, real or not, before and after the first observation", () => {
    const hidden = anonymiser();
    for (const when of ["before", "after"]) {
      for (const name of ["study", "laundry_room", "nonsense", ""]) {
        const inside = `goto:?${name}`;
        expect([when, ...sent(hidden, name)]).toEqual([when, inside, { name: inside }, inside]);
      }
      hidden.observation(
        observed({ viewpoint: "study", candidates: [{ viewpoint: "laundry_room" }] }),
      );
    }
  });

  it("the anonymiser marks the anonymised name of another submission as unknown", () => {
    const other = anonymiser("two").observation(observed({ viewpoint: "study" })).observation;
    const hidden = anonymiser();
    hidden.observation(observed({ viewpoint: "study" }));
    expect(sent(hidden, String(other.viewpoint))[0]).toBe(`goto:?${other.viewpoint}`);
  });

  it("the anonymiser renames candidates that a simulator lists as bare names", () => {
    const { observation } = anonymiser().observation(observed({ candidates: ["study"] }));
    expect(observation.candidates).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });
});

describe("the anonymiser, for a phase that hides nothing", () => {
  it("the anonymiser passes messages of a phase that hides nothing unchanged", () => {
    const open = anonymiser("one", { hidden: false, disclose: [] });
    expect(open.reset(reset())).toEqual(reset());
    expect(open.observation(observed({ viewpoint: "study" }))).toEqual(
      observed({ viewpoint: "study" }),
    );
    const named = { type: "action", session_id: "s", action: "goto:study" } as const;
    expect(open.action(named)).toEqual(named);
  });
});
