import { describe, expect, it } from "vitest";
import { MAPPING_PRESETS, mappingSchema } from "../../config/mapping.js";
import type { AgentTask } from "../../core/interfaces/agent.js";
import { ActionSpace } from "../../core/task/types.js";
import { PRESETS } from "./presets.js";
import { resolveMapping } from "./resolve.js";

function taskWith(controlMode: string, dim: number): AgentTask {
  return {
    name: "arm",
    type: "pick_place",
    family: "manipulation",
    actionSpace: new ActionSpace({ name: "continuous", shape: [dim] }),
    conventions: { control_mode: controlMode, action_dim: dim },
  };
}

describe("mapping preset", () => {
  it.each(MAPPING_PRESETS)("a mapping preset is a valid explicit mapping: %s", (name) => {
    for (const { observation, action } of PRESETS[name]) {
      for (const entries of Object.values(observation)) {
        expect(mappingSchema.parse({ observation: entries, action })).toEqual({
          observation: entries,
          action,
        });
      }
    }
  });

  it("a mapping preset uses the keys of the given dialect", () => {
    const task = taskWith("ee_delta_pose", 7);
    expect(resolveMapping("libero", "openpi", task).observation).toHaveProperty([
      "observation/image",
    ]);
    expect(resolveMapping("libero", "vla-eval", task).observation).toHaveProperty("images");
    expect(() => resolveMapping("libero", "behavior", task)).toThrow("does not support behavior");
  });

  it("a mapping preset reads the LIBERO observations where the task is controlled as LIBERO is", () => {
    const { observation, action } = resolveMapping("libero", "openpi", taskWith("osc_pose", 7));
    expect(observation?.["observation/image"]).toMatchObject({ from: "agentview_image" });
    expect(action).toEqual({ parts: [{ take: [0, 7] }] });
  });

  it("a mapping preset stops the run when the task has another control mode", () => {
    expect(() => resolveMapping("libero", "openpi", taskWith("joint_position", 8))).toThrow(
      "gives 7 numbers of ee_delta_pose, but arm takes 8 of joint_position",
    );
    expect(() => resolveMapping("droid", "openpi", taskWith("joint_delta", 7))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("robot_type: panda") }),
    );
  });

  it("a mapping preset can be partly overridden", () => {
    const action = { parts: [{ take: [0, 8] as [number, number] }] };
    const mapping = resolveMapping(
      { preset: "libero", observation: { prompt: { value: "go" } }, action },
      "openpi",
      taskWith("joint_position", 8),
    );
    expect(mapping.action).toBe(action);
    expect(mapping.observation).toMatchObject({ prompt: { value: "go" } });
    expect(mapping.observation).toHaveProperty(["observation/state"]);
  });
});

describe("explicit mapping", () => {
  it("an explicit mapping is used unchanged, and no mapping stays none", () => {
    const observation = { x: "qpos" };
    expect(resolveMapping({ observation }, "openpi", undefined)).toEqual({ observation });
    expect(resolveMapping(undefined, "openpi", undefined)).toEqual({});
  });

  it.each([
    [{ observation: { x: { from: "a", take: [0, 1], resize: [2, 2] } } }],
    [{ observation: { x: { from: "a", take: [2, 2] } } }],
    [{ action: { parts: [{ take: [0, 1], value: [1] }] } }],
    [{ action: { parts: [{}], names: ["stop"] } }],
    [{ action: { parts: [{ range: { from: [1, 1], to: [0, 1] } }] } }],
    ["no_such_preset"],
  ])("an explicit mapping is rejected when it is contradictory or empty: %j", (setting) => {
    expect(mappingSchema.safeParse(setting).success).toBe(false);
  });
});
