import { describe, expect, it } from "vitest";
import { instructionStrip, outcomeStrip, statusStrip, statusWords } from "./captions.js";
import { rasterise } from "./raster.js";

/** The words that a strip draws, line by line. */
function linesIn(svg: string): string[] {
  return [...svg.matchAll(/aria-label="([^"]*)"/g)].map(([, words = ""]) => words);
}

const PACE = { stride: 3, frameMs: 100, speed: 1.5 };

describe("the instruction", () => {
  it("the instruction in a film is wrapped to two lines and truncated", () => {
    const text = "Walk past the bed and go through the door into the living room. ".repeat(9);
    const lines = linesIn(instructionStrip({ instruction: { text }, goals: {} }, 640).svg);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^Walk past the bed/);
    expect(lines[1]).toMatch(/\.\.\.$/);
  });

  it("a film shows the goal category if the episode has no instruction", () => {
    const goals = { object_category: "chair" };
    expect(linesIn(instructionStrip({ instruction: {}, goals }, 640).svg)).toEqual(["Find: chair"]);
  });

  it("a film leaves no space for an instruction if the episode has neither instruction nor category", () => {
    expect(instructionStrip({ instruction: {}, goals: {} }, 640).height).toBe(0);
  });
});

describe("the status", () => {
  it("the status in a film shows the action, distance and collision of a navigation step", () => {
    const state = { distance_to_goal: 3.654, collided: true };
    expect(statusWords({ step: 24, action: "move_forward", state }, 48)).toEqual([
      "step 24/48",
      "move_forward",
      "3.65 m to the goal",
      "collided",
    ]);
  });

  it("the status in a film shows the time, reach and stages of a manipulation step", () => {
    const state = { reach_m: 0.1234, stages: { reached: true, grasped: false, lifted: true } };
    expect(statusWords({ step: 3, time_s: 0.15, action: [0.1], state }, 9)).toEqual([
      "step 3/9",
      "0.1 s",
      "reach 0.12 m",
      "reached, lifted",
    ]);
  });

  it("the status in a film omits unknown values and truncates viewpoint names", () => {
    const state = { distance_to_goal: Number.POSITIVE_INFINITY };
    const action = `goto:${"f".repeat(32)}`;
    expect(statusWords({ step: 1, action, state }, 2)).toEqual([
      "step 1/2",
      "goto:fffffffffffffff...",
    ]);
  });

  it("the status in a film shows the playback speed", () => {
    const record = { step: 0, action: null, state: {} };
    expect(linesIn(statusStrip(record, 9, PACE, 320).svg)).toEqual(["step 0/9", "1.5x"]);
    expect(linesIn(statusStrip(record, 9, { ...PACE, speed: 1 }, 320).svg)).toEqual(["step 0/9"]);
  });
});

describe("the end", () => {
  it("the end of a film shows outcome and reason of the end in the height of the status strip", async () => {
    const strip = outcomeStrip({ outcome: "failure", explanation: "stopped 4 m away" }, 320);
    expect(linesIn(strip.svg)).toEqual(["failure: stopped 4 m away"]);
    const record = { step: 0, action: null, state: {} };
    expect(strip.height).toBe(statusStrip(record, 9, PACE, 320).height);
    const { width, height, data } = await rasterise(strip.svg);
    expect([width, height, data.length]).toEqual([320, strip.height, 320 * strip.height * 3]);
    expect(data.some((level) => level > 200)).toBe(true);
  });
});
