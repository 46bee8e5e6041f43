import { describe, expect, it } from "vitest";
import { Physics } from "./physics.js";
import { gripper, SLEEP } from "./scenes.fixture.js";

const PADS = [["pad1"], ["pad-1"]] as const;

/** Closes, lifts 20 cm in a second and holds for five. Returns the motion of the box in the hand. */
async function lift(xml: string) {
  const physics = await Physics.create(xml);
  const inHand = () =>
    physics.body("box").position.map((x, i) => x - (physics.body("hand").position[i] ?? 0));
  try {
    for (const side of ["close1", "close-1"]) physics.setControl(side, 0.05);
    physics.step(250);
    const squeeze = PADS.map((pads) => physics.pressure(pads, "box"));
    const touching = PADS.map((pads) => physics.geomsTouch(pads, "box"));
    const before = inHand();
    for (let i = 1; i <= 20; i++) {
      physics.setControl("lift", 0.01 * i);
      physics.step(25);
    }
    physics.step(250);
    const lifted = inHand();
    physics.step(2500);
    const after = inHand();
    return {
      squeeze,
      touching,
      heightM: physics.body("box").position[2],
      onFloor: physics.touching("box", "world"),
      liftSlipM: Math.hypot(...lifted.map((x, i) => x - (before[i] ?? 0))),
      holdSlipM: Math.hypot(...after.map((x, i) => x - (lifted[i] ?? 0))),
      pads: PADS.map((pads) => physics.pressure(pads, "box")),
      diverged: physics.diverged(),
    };
  } finally {
    physics.dispose();
  }
}

describe("a grasp", () => {
  it.each(["", SLEEP])(
    "a grasp holds by friction alone, slipping less than 1 mm in 5 s (%s)",
    async (flags) => {
      const result = await lift(gripper({ flags }));
      expect(result.diverged).toBeUndefined();
      expect(result.squeeze[0]).toBeGreaterThan(5);
      expect(result.touching).toEqual([true, true]);
      expect(result.squeeze[0]).toBeCloseTo(result.squeeze[1] ?? 0, 1);
      expect(result.heightM).toBeGreaterThan(0.2);
      expect(result.onFloor).toBe(false);
      expect(result.holdSlipM).toBeLessThan(1e-3);
      expect(result.pads[0]).toBeGreaterThan(5);
    },
  );

  it("a grasp fails with slippery fingers, and the box stays on the ground", async () => {
    const result = await lift(gripper({ friction: 0.02 }));
    expect(result.diverged).toBeUndefined();
    expect(result.squeeze[0]).toBeGreaterThan(5);
    expect(result.heightM).toBeLessThan(0.03);
    expect(result.onFloor).toBe(true);
    expect(result.pads).toEqual([0, 0]);
  });
});
