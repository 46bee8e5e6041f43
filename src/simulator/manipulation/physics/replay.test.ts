import { describe, expect, it } from "vitest";
import { Random } from "../../../core/math/random.js";
import { Physics } from "./physics.js";
import { boxBody, FLOOR, gripper, options, pile, SLEEP } from "./scenes.fixture.js";

/** Hashes after each control step with random controls; `between` is called after each. */
async function hashes(
  xml: string,
  steps: number,
  between: (physics: Physics) => void = () => {},
): Promise<string[]> {
  const physics = await Physics.create(xml);
  const random = new Random(5);
  const out = [physics.hash()];
  for (let i = 0; i < steps; i++) {
    for (const actuator of physics.names("actuator")) {
      const [low, high] = physics.controlRange(actuator) ?? [0, 0];
      physics.setControl(actuator, low + (high - low) * random.uniform());
    }
    physics.step(25);
    between(physics);
    out.push(physics.hash());
  }
  physics.dispose();
  return out;
}

function look(physics: Physics): void {
  for (const body of physics.names("body")) {
    physics.body(body);
    physics.bodyVelocity(body);
    physics.touching(body, "world");
  }
  for (const camera of physics.names("camera")) physics.camera(camera);
  for (const site of physics.names("site")) physics.jacobian(site, []);
  physics.pressure(["floor"], "box0");
  physics.diverged();
  physics.scratch().setJoints([], []);
}

describe("two runs", () => {
  it.each([
    ["a pile", pile()],
    ["a pile that may sleep", pile(SLEEP)],
    ["a hand with random controls", gripper()],
    ["a hand at random, with sleep", gripper({ flags: SLEEP })],
  ])("two runs of %s are equal to the bit", async (_, xml) => {
    const first = await hashes(xml, 40);
    expect(await hashes(xml, 40)).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(10);
  });

  it("two runs differ if a control differs in its last bit", async () => {
    const run = async (control: number) => {
      const physics = await Physics.create(gripper());
      physics.setControl("lift", control);
      physics.step(1);
      const hash = physics.hash();
      physics.dispose();
      return hash;
    };
    expect(await run(0.1)).not.toBe(await run(0.1 + Number.EPSILON / 8));
  });

  it.each(["", SLEEP])("two runs are equal after a reset (%s)", async (flags) => {
    const physics = await Physics.create(pile(flags));
    const run = () => {
      physics.step(400);
      return physics.hash();
    };
    const first = run();
    physics.reset();
    expect(run()).toBe(first);
    physics.dispose();
  });

  it.each(["", SLEEP])(
    "two runs are equal whether or not the state is read in between (%s)",
    async (flags) => {
      const quiet = await hashes(pile(flags), 40);
      expect(await hashes(pile(flags), 40, look)).toEqual(quiet);
      expect(await hashes(pile(flags), 40, (physics) => physics.forward())).toEqual(quiet);
    },
  );
});

describe("a sleeping body", () => {
  it("a sleeping body still touches the body on which it stands", async () => {
    const physics = await Physics.create(
      `<mujoco>${options("", SLEEP)}<worldbody>${FLOOR}
        ${boxBody("low", "0 0 0.05", 1)}${boxBody("high", "0 0 0.15", 0.5)}${boxBody("far", "1 0 0.05", 1)}
      </worldbody></mujoco>`,
    );
    const speed = () => Math.hypot(...physics.bodyVelocity("high").linear);
    physics.step(2000);
    // At rest to the last bit, so it is asleep.
    expect(speed()).toBe(0);
    const still = physics.body("high");
    physics.step(100);
    expect(physics.body("high")).toEqual(still);
    expect(physics.touching("low", "high")).toBe(true);
    expect(physics.touching("low", "world")).toBe(true);
    expect(physics.touching("high", "world")).toBe(false);
    expect(physics.touching("high", "far")).toBe(false);
    expect(physics.pressure(["low_geom"], "high")).toBeCloseTo(0.5 * 9.81, 1);
    expect(physics.pressure(["floor"], "low")).toBeCloseTo(1.5 * 9.81, 1);
    physics.dispose();
  });
});
