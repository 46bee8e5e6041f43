import { describe, expect, it } from "vitest";
import { STRESS_REPORT } from "../../../../src/runs/stress/stress.fixture.js";
import { breakPointText, cellColor, valueText } from "./axis-text.js";

describe("a break point", () => {
  const [axis] = STRESS_REPORT.axes;
  if (!axis) throw new Error("the fixture has no axis");

  it("a break point is written with its interval and the parameter unit", () => {
    expect(breakPointText({ ...axis, unit: "m" })).toBe("0.469 m [0.4, 0.58]");
  });

  it("a break point has an open end where even the strongest level may not reach it", () => {
    const open = { ...axis, break_point: { ...axis.break_point, ci95: [0.4, null] as const } };
    expect(breakPointText(open)).toBe("0.469 [0.4, …]");
  });

  it("a break point has no text if it was not reached", () => {
    const none = { state: "not_reached", value: null, level: null, ci95: null } as const;
    expect(breakPointText({ ...axis, break_point: none })).toBeNull();
  });
});

describe("valueText", () => {
  it("valueText leaves out the unit of dimensionless parameters", () => {
    expect(valueText({ unit: "1" }, 0.5)).toBe("0.5");
    expect(valueText({ unit: "cm" }, 2)).toBe("2 cm");
    expect(valueText({ unit: "control steps" }, 1)).toBe("1 control step");
    expect(valueText({ unit: "control steps" }, 3)).toBe("3 control steps");
    expect(valueText({ unit: "ms" }, 1)).toBe("1 ms");
  });
});

describe("cellColor", () => {
  it("cellColor is stronger for greater losses, and green for gains", () => {
    expect(cellColor(-1)).toContain("var(--failure) 50.0%");
    expect(cellColor(-0.1)).toContain("var(--failure) 5.0%");
    expect(cellColor(0.2)).toContain("var(--success) 10.0%");
    expect(cellColor(null)).toBeUndefined();
  });
});
