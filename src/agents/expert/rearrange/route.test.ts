import { describe, expect, it } from "vitest";
import type { FlatPose } from "./arm.js";
import { FloorGrid } from "./floor-grid.js";
import { planRoute } from "./route.js";

const LENGTHS = { forwardStepM: 0.25, turnRad: Math.PI / 6 };

/** A floor of 6 x 4 m with a wall at x = 3 that is open between y = 1 and y = 1.4. */
const twoRooms = () =>
  new FloorGrid([0, 0, 6, 4], (x, y) => Math.abs(x - 3) > 0.2 || (y > 1 && y < 1.4));

function route(grid: FloorGrid, from: FlatPose, to: FlatPose) {
  return planRoute({
    grid,
    from,
    ...LENGTHS,
    remaining: grid.distancesFrom(to[0], to[1], 0.3),
    costAt: ([x, y]) => (Math.hypot(x - to[0], y - to[1]) < 0.15 ? 0 : undefined),
  });
}

describe("planRoute", () => {
  it("planRoute finds the actions that lead through a door to a pose", () => {
    const found = route(twoRooms(), [1, 3, 0.2], [5, 3, 0]);
    expect(found?.moves.filter((move) => move === "move_forward").length).toBeGreaterThan(18);
    let [x, y, theta] = [1, 3, 0.2];
    for (const [i, move] of (found?.moves ?? []).entries()) {
      const ahead = move === "move_forward" ? 0.25 : move === "move_backward" ? -0.25 : 0;
      theta += move === "turn_left" ? Math.PI / 6 : move === "turn_right" ? -Math.PI / 6 : 0;
      [x, y] = [x + ahead * Math.cos(theta), y + ahead * Math.sin(theta)];
      const [atX, atY] = found?.poses[i + 1] ?? [];
      expect([atX, atY]).toEqual([expect.closeTo(x, 9), expect.closeTo(y, 9)]);
      expect(Math.abs(x - 3) > 0.15 || (y > 0.9 && y < 1.5)).toBe(true);
    }
    expect(Math.hypot(x - 5, y - 3)).toBeLessThan(0.15);
  });

  it("planRoute finds no route if a wall closes the way", () => {
    const closed = new FloorGrid([0, 0, 6, 4], (x) => Math.abs(x - 3) > 0.2);
    expect(route(closed, [1, 3, 0], [5, 3, 0])).toBeUndefined();
  });

  it("planRoute gives no actions if the start is good enough", () => {
    expect(route(twoRooms(), [1, 3, 0], [1, 3, 0])?.moves).toEqual([]);
  });

  it("planRoute prefers a nearer pose only if the work from it costs less than the way", () => {
    const grid = twoRooms();
    const near = (cost: number) =>
      planRoute({
        grid,
        from: [1, 3, 0],
        ...LENGTHS,
        remaining: grid.distancesFrom(2, 3, 0.5),
        costAt: ([x]) => (x > 1.6 ? (x > 2.1 ? 0 : cost) : undefined),
      })?.moves.length;
    expect(near(0)).toBe(3);
    expect(near(100)).toBe(5);
  });

  it("planRoute leads back to the free floor if the base was pushed off it", () => {
    const pushed: FlatPose = [2.85, 3, Math.PI];
    const found = route(twoRooms(), pushed, [1, 3, 0]);
    expect(found?.moves[0]).toBe("move_forward");
    expect(route(twoRooms(), [2.85, 3, Math.PI / 2], [1, 3, 0])?.moves[0]).toMatch(/^turn_/);
  });
});
