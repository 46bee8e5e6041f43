import { describe, expect, it } from "vitest";
import { atDistances, measure, score } from "../../../test/support/nav-task.js";
import { DistanceToGoal } from "./distance-to-goal.js";
import { NavigationError } from "./navigation-error.js";
import { OracleNavigationError } from "./oracle-navigation-error.js";

describe("navigation_error", () => {
  it("navigation_error is the distance to the goal at the last record", () => {
    expect(measure(new NavigationError(), atDistances(4, 1, 2))).toBe(2);
    expect(measure(new NavigationError(), atDistances(4))).toBe(4);
  });

  it("navigation_error is null without records", () => {
    expect(measure(new NavigationError(), [])).toBeNull();
  });

  it("navigation_error is reported as null when no path leads from the last position to the goal", () => {
    expect(score(new NavigationError(), atDistances(4, Number.POSITIVE_INFINITY))).toBeNull();
  });
});

describe("distance_to_goal", () => {
  it("distance_to_goal has the same value as navigation_error", () => {
    const metric = new DistanceToGoal();
    expect(metric.metricName).toBe("distance_to_goal");
    expect(measure(metric, atDistances(4, 1, 2))).toBe(2);
  });
});

describe("oracle_navigation_error", () => {
  it("oracle_navigation_error is the least distance of all records, including the first", () => {
    expect(measure(new OracleNavigationError(), atDistances(4, 1, 2))).toBe(1);
    expect(measure(new OracleNavigationError(), atDistances(1, 4))).toBe(1);
  });

  it("oracle_navigation_error keeps no state from the previous episode", () => {
    const metric = new OracleNavigationError();
    measure(metric, atDistances(1));
    expect(measure(metric, atDistances(4))).toBe(4);
    expect(measure(metric, [])).toBeNull();
  });
});
