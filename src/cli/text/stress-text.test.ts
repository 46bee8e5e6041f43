import { describe, expect, it } from "vitest";
import { STRESS_REPORT } from "../../runs/stress/stress.fixture.js";
import { stressText } from "./stress-text.js";

describe("stressText", () => {
  it("stressText shows each level, the ranking with the break point, and the episodes to look at", () => {
    const text = stressText(STRESS_REPORT);
    expect(text).toContain("unperturbed: success 0.900 [0.770, 0.960] of 40 episodes");
    expect(text).toMatch(/brightness +2 +0\.5 +0\.400 +-0\.500 .* worse +40/);
    expect(text).toMatch(
      /1 +brightness +0\.467 +-0\.800 at level 3 +3\.0e-8 +0\.469 \[0\.400, 0\.580\]/,
    );
    expect(text).toContain("vln/hall/3 fails from level 1 on");
    expect(text).toContain("brightness-1: max_steps: ran out of steps 4 m from the goal");
  });

  it("stressText writes a value of one in the singular of its unit", () => {
    const [axis] = STRESS_REPORT.axes;
    const [first] = axis?.levels ?? [];
    if (!axis || !first) throw new Error("the report has no level");
    const levels = [
      { ...first, value: 1 },
      { ...first, level: 2, value: 3 },
    ];
    const text = stressText({
      ...STRESS_REPORT,
      axes: [{ ...axis, unit: "control steps", levels }],
    });
    expect(text).toContain("1 control step ");
    expect(text).toContain("3 control steps ");
  });

  it("stressText names what is missing", () => {
    const [axis] = STRESS_REPORT.axes;
    const [first] = axis?.levels ?? [];
    if (!axis || !first) throw new Error("the report has no level");
    const level = { ...first, unsolvable: 2, invalid: 1, status: "cancelled" as const };
    const skipped_tasks = [{ task: "pick_place", reason: "no camera" }];
    const text = stressText({
      ...STRESS_REPORT,
      axes: [{ ...axis, levels: [level], skipped_tasks }],
    });
    expect(text).toContain("2 unsolvable, 1 invalid");
    expect(text).toContain("cancelled");
    expect(text).toContain("brightness leaves out pick_place: no camera");
  });
});
