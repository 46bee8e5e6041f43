import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { missingInstruction } from "./missing-instruction.js";

describe("missing_instruction", () => {
  it.each([
    ["none", {}, "the instruction is missing"],
    ["a blank one", { text: " \n" }, "the instruction is blank"],
  ])("missing_instruction finds a missing instruction: %s", (_, instruction, message) => {
    const episode = soundEpisode({ instruction });
    expect(problemsOf(missingInstruction, episode)).toMatchObject([{ message }]);
  });

  it("missing_instruction requires an instruction only for tasks that follow one", () => {
    const objectnav = soundEpisode({ taskType: "objectnav", instruction: {} });
    expect(problemsOf(missingInstruction, [soundEpisode(), objectnav])).toEqual([]);
  });
});
