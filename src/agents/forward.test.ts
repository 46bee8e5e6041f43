import { describe, expect, it } from "vitest";
import { ForwardAgent } from "./forward.js";

describe("the forward agent", () => {
  it("the forward agent walks ahead while it moves, and stops when it is blocked", () => {
    const agent = new ForwardAgent();
    agent.reset();
    const actions = [0, -0.25, -0.5, -0.5].map((z) => agent.act({ gps: [0, 0, z] }));
    expect(actions).toEqual(["move_forward", "move_forward", "move_forward", "stop"]);
  });

  it("the forward agent does not depend on the previous episode", () => {
    const agent = new ForwardAgent();
    agent.act({ gps: [0, 0, 0] });
    agent.reset();
    expect(agent.act({ gps: [0, 0, 0] })).toBe("move_forward");
  });

  it("the forward agent never stops if observations have no position", () => {
    const agent = new ForwardAgent();
    agent.reset();
    expect([agent.act({}), agent.act({})]).toEqual(["move_forward", "move_forward"]);
  });
});
