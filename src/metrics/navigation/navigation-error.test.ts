import { describe, expect, it } from "vitest";
import { atDistances, measure, score } from "../../../test/support/nav-task.js";
import { DistanceToGoal } from "./distance-to-goal.js";
import { NavigationError } from "./navigation-error.js";
import { OracleNavigationError } from "./oracle-navigation-error.js";

describe("navigation_error", () => {
  it("is the last distance", () => {
    expect(measure(new NavigationError(), atDistances(4, 1, 2))).toBe(2);
    expect(measure(new NavigationError(), atDistances(4))).toBe(4);
  });

  it("has no value before the first record", () => {
    expect(measure(new NavigationError(), [])).toBeNull();
  });

  it("is reported as null where the robot ended cut off from the goal", () => {
    expect(score(new NavigationError(), atDistances(4, Number.POSITIVE_INFINITY))).toBeNull();
  });
});

describe("distance_to_goal", () => {
  it("is the same number under Habitat's name", () => {
    const metric = new DistanceToGoal();
    expect(metric.metricName).toBe("distance_to_goal");
    expect(measure(metric, atDistances(4, 1, 2))).toBe(2);
  });
});

describe("oracle_navigation_error", () => {
  it("is the least distance, the start included", () => {
    expect(measure(new OracleNavigationError(), atDistances(4, 1, 2))).toBe(1);
    expect(measure(new OracleNavigationError(), atDistances(1, 4))).toBe(1);
  });

  it("forgets the episode before", () => {
    const metric = new OracleNavigationError();
    measure(metric, atDistances(1));
    expect(measure(metric, atDistances(4))).toBe(4);
    expect(measure(metric, [])).toBeNull();
  });
});
