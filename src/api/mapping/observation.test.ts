import { describe, expect, it } from "vitest";
import { mappingSchema, type ObservationMapping } from "../../config/mapping.js";
import type { Observation } from "../../core/interfaces/observation.js";
import { NdArray } from "../codec/ndarray.js";
import { mapObservation } from "./observation.js";

const looked: string[] = [];
const observation: Observation = {
  get rgb_head() {
    looked.push("rgb_head");
    return { kind: "rgb", width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5, 6) };
  },
  get rgb_wrist() {
    looked.push("rgb_wrist");
    return { kind: "rgb", width: 1, height: 1, data: Uint8Array.of(7, 8, 9) };
  },
  instruction: { text: "open the drawer" },
  qpos: [0.1, 0.2, 0.3],
  ee_pose: [1, 2, 3, Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  gripper_state: [0.25],
};

/** Parses a mapping as it appears in a benchmark's YAML. */
function read(entries: Record<string, unknown>): ObservationMapping | undefined {
  const mapping = mappingSchema.parse({ observation: entries });
  return typeof mapping === "string" ? undefined : mapping.observation;
}

function numbers(value: unknown): number[] {
  if (!(value instanceof NdArray)) throw new Error("not an array");
  return value.numbers();
}

describe("observation without a mapping", () => {
  it("an observation without a mapping has every sensor under its own name, and the text of the instruction as prompt", () => {
    const sent = mapObservation(observation, undefined);
    expect(Object.keys(sent)).toEqual([
      "rgb_head",
      "rgb_wrist",
      "prompt",
      "qpos",
      "ee_pose",
      "gripper_state",
    ]);
    expect(sent.prompt).toBe("open the drawer");
    expect(sent.rgb_head).toMatchObject({ dtype: "|u1", shape: [1, 2, 3] });
    expect(sent.qpos).toMatchObject({ dtype: "<f8", shape: [3] });
  });
});

describe("mapped observation", () => {
  it("a mapped observation has the policy keys and reads only the sensors that the mapping names", () => {
    looked.length = 0;
    const sent = mapObservation(
      observation,
      read({ "observation/image": "rgb_head", prompt: "instruction.text" }),
    );
    expect(Object.keys(sent)).toEqual(["observation/image", "prompt"]);
    expect(sent.prompt).toBe("open the drawer");
    expect(looked).toEqual(["rgb_head"]);
  });

  it("the observation mapping concatenates a state from converted, rescaled and constant parts", () => {
    const sent = mapObservation(
      observation,
      read({
        state: {
          concat: [
            { from: "ee_pose", take: [0, 3] },
            { from: "ee_pose", take: [3, 7], rotation: { from: "quat_wxyz", to: "axis_angle" } },
            { from: "gripper_state", range: { from: [0, 1], to: [0, 0.04] } },
            { from: "gripper_state", range: { from: [0, 1], to: [0, -0.04] } },
            { value: [9] },
          ],
          dtype: "float32",
        },
      }),
    );
    const expected = [1, 2, 3, 0, 0, Math.PI / 2, 0.01, -0.01, 9];
    expect(sent.state).toMatchObject({ dtype: "<f4", shape: [9] });
    expect(numbers(sent.state)).toEqual([...Float32Array.from(expected)]);
  });

  it("the observation mapping applies scale, clip, switch and repeat in this order", () => {
    const sent = mapObservation(
      observation,
      read({
        scaled: { from: "qpos", scale: 10, clip: [1.5, 2.5] },
        shut: { from: "gripper_state", switch: { at: 0.2, below: 0, above: 1 }, repeat: 2 },
      }),
    );
    expect(numbers(sent.scaled)).toEqual([1.5, 2, 2.5]);
    expect(numbers(sent.shut)).toEqual([1, 1]);
  });

  it("a mapped observation may contain nested maps and constants", () => {
    const sent = mapObservation(
      observation,
      read({ images: { map: { wrist: "rgb_wrist" } }, mask: { value: true } }),
    );
    expect(sent).toMatchObject({ images: { wrist: { shape: [1, 1, 3] } }, mask: true });
  });

  it("the observation mapping replaces an instruction by its text", () => {
    expect(mapObservation(observation, read({ prompt: "instruction" })).prompt).toBe(
      "open the drawer",
    );
  });
});

describe("observation mapping that does not fit the sensors", () => {
  it.each([
    [{ x: "rgb_front" }, /"x" needs rgb_front, which is not observed/],
    [{ x: "instruction.tokens" }, /instruction has no tokens/],
    [{ x: { from: "qpos", take: [2, 5] } }, /takes numbers 2 to 4 of qpos for x, which has 3/],
    [{ x: { from: "qpos", resize: [2, 2] } }, /qpos, which is not an image/],
    [{ x: { from: "rgb_head", scale: 2 } }, /rgb_head, which is an image, not numbers/],
    [{ x: { concat: [{ from: "instruction" }] } }, /instruction, which is/],
    [
      { x: { from: "ee_pose", rotation: { from: "quat_wxyz", to: "euler_xyz" } } },
      /reads 7 numbers of ee_pose for x as quat_wxyz, which has 4/,
    ],
  ] as const)("the run rejects a mapping that does not fit the sensors: %j", (entries, text) => {
    expect(() => mapObservation(observation, read(entries))).toThrow(text);
  });

  it("the run reports the available sensors", () => {
    expect(() => mapObservation(observation, read({ x: "rgb_front" }))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("rgb_head, rgb_wrist") }),
    );
  });
});
