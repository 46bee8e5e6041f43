import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { missingInstruction } from "./missing-instruction.js";

describe("missing_instruction", () => {
  it.each([
    ["none", {}, "there is no instruction"],
    ["a blank one", { text: " \n" }, "the instruction is blank"],
  ])("finds %s", (_, instruction, message) => {
    const episode = soundEpisode({ instruction });
    expect(problemsOf(missingInstruction, episode)).toMatchObject([{ message }]);
  });

  it("asks for one only where the task is to follow it", () => {
    const objectnav = soundEpisode({ taskType: "objectnav", instruction: {} });
    expect(problemsOf(missingInstruction, [soundEpisode(), objectnav])).toEqual([]);
  });
});
