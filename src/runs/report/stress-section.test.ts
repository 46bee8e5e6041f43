import { describe, expect, it } from "vitest";
import { STRESS_REPORT } from "../stress/stress.fixture.js";
import { stressSection } from "./stress-section.js";

describe("the robustness section of a report", () => {
  it("the robustness section of a report is absent for a run that is not the baseline of a stress test", () => {
    expect(stressSection(undefined)).toBeNull();
  });

  it("the robustness section of a report has the ranking, every level and the episodes to look at", () => {
    const { text } = stressSection(STRESS_REPORT) ?? { text: "" };
    expect(text).toContain("Axes, most damaging first");
    for (const level of ["level 1", "level 2", "level 3"]) expect(text).toContain(level);
    expect(text).toContain("0.469 [0.400, 0.580]");
    expect(text).toContain("fails from level 1 on");
  });

  it("the robustness section of a report escapes what a plugin or a policy wrote", () => {
    const notes = ["<script>alert(1)</script>"];
    const { text } = stressSection({ ...STRESS_REPORT, notes }) ?? { text: "" };
    expect(text).not.toContain("<script>");
  });
});
