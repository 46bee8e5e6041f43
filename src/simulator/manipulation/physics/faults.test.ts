import { describe, expect, it } from "vitest";
import { DataError } from "../../../core/errors.js";
import { loadMujoco } from "./mujoco.js";
import { Physics } from "./physics.js";
import { boxBody, FLOOR, gripper, options, pile } from "./scenes.fixture.js";

/** A spring with negative stiffness, unstable at its time step. */
const NONSENSE = `<mujoco><option timestep="0.1"/><worldbody><body name="arm">
  <joint name="wild" type="hinge" axis="0 1 0" stiffness="-1e12" ref="0.1"/><geom size="0.1" pos="0.3 0 0"/>
</body></worldbody></mujoco>`;

describe("a model that does not compile", () => {
  it.each([
    ["<mujoco><foo/></mujoco>", "Schema violation: unrecognized element, Element 'foo', line 1"],
    [
      "<mujoco><worldbody><geom type='box'/></worldbody></mujoco>",
      "size 0 must be positive in geom",
    ],
    ["not XML", "XML parse error"],
    ["<mujoco><asset><mesh file='hand.obj'/></asset></mujoco>", "Error opening file 'hand.obj'"],
  ])(
    "a model that does not compile causes a DataError with the message of MuJoCo: %s",
    async (xml, words) => {
      const error = await Physics.create(xml, { where: "hand.xml" }).catch((caught) => caught);
      expect(error).toBeInstanceOf(DataError);
      expect(error).toMatchObject({ code: "bad_mjcf", where: "hand.xml" });
      expect(error.message).toMatch(/^MuJoCo cannot compile the model: /);
      expect(error.message).toContain(words);
    },
  );
});

describe("physics that diverges", () => {
  it("physics that diverges is reported with the joint name, and no longer steps", async () => {
    const physics = await Physics.create(NONSENSE);
    expect(physics.diverged()).toBeUndefined();
    physics.step(25);
    expect(physics.diverged()).toMatch(/^the \w+ of joint "wild" is not finite or too large$/);
    const hash = physics.hash();
    physics.step(25);
    expect(physics.hash()).toBe(hash);
    expect(physics.diverged()).toContain("wild");
    physics.reset();
    expect(physics.diverged()).toBeUndefined();
    physics.dispose();
  });

  it("physics that diverges is detected in the very first step, where the clock does not show the reset", async () => {
    const physics = await Physics.create(NONSENSE.replace("-1e12", "-1e15"));
    physics.step(1);
    expect(physics.timeS()).toBeCloseTo(0.1, 9);
    expect(physics.diverged()).toContain("wild");
    physics.dispose();
  });

  it("physics that diverges is detected at every substep of a control step", async () => {
    for (const steps of [1, 2, 3, 5, 8, 13]) {
      const physics = await Physics.create(NONSENSE);
      for (let i = 0; i < 40 && !physics.diverged(); i++) physics.step(steps);
      expect(physics.diverged()).toContain("wild");
      physics.dispose();
    }
  });

  it("physics that diverges is also reported when MuJoCo runs out of memory, at the start or later", async () => {
    const boxes = (height: number) => {
      const all = Array.from({ length: 40 }, (_, i) =>
        boxBody(`box${i}`, `${0.2 * (i % 7)} ${0.2 * Math.floor(i / 7)} ${height}`),
      );
      const xml = `<mujoco>${options()}<worldbody>${FLOOR}${all.join("")}</worldbody></mujoco>`;
      return xml.replace('memory="4M"', 'memory="120K"');
    };
    await expect(Physics.create(boxes(0.05))).rejects.toThrow(/cannot simulate .* out of memory/);
    const physics = await Physics.create(boxes(0.3));
    physics.step(25);
    expect(physics.diverged()).toBeUndefined();
    physics.step(500);
    expect(physics.diverged()).toMatch(/memory/);
    expect(physics.body("box0").position[2]).toBeLessThan(0.3);
    physics.touching("box0", "world");
    physics.dispose();
  });

  it("physics does not accept controls and joint positions that are not finite", async () => {
    const physics = await Physics.create(
      NONSENSE.replace("</mujoco>", '<actuator><motor name="m" joint="wild"/></actuator></mujoco>'),
    );
    expect(() => physics.setControl("m", Number.NaN)).toThrow(RangeError);
    expect(() => physics.setJoint("wild", Number.POSITIVE_INFINITY)).toThrow(RangeError);
    physics.dispose();
  });
});

describe("WASM memory", () => {
  it("WASM memory may grow while a physics is in use, which keeps its state", async () => {
    const physics = await Physics.create(gripper());
    const twin = await Physics.create(gripper());
    physics.setControl("lift", 0.1);
    twin.setControl("lift", 0.1);
    physics.step(25);
    const before = await wasmBytes();
    const large = await Physics.create(pile().replace('memory="4M"', 'memory="200M"'));
    expect(await wasmBytes()).toBeGreaterThan(before);
    physics.setControl("lift", 0.2);
    physics.step(25);
    expect(physics.control("lift")).toBe(0.2);
    expect(physics.joint("lift")).toBeGreaterThan(0.01);
    twin.step(25);
    twin.setControl("lift", 0.2);
    twin.step(25);
    expect(physics.hash()).toBe(twin.hash());
    expect(physics.body("hand")).toEqual(twin.body("hand"));
    for (const each of [physics, twin, large]) each.dispose();
  });

  it("WASM memory does not grow over 300 worlds that are disposed of", async () => {
    const cycle = async () => {
      const physics = await Physics.create(pile('sleep="enable"'));
      physics.step(3);
      physics.scratch();
      physics.geoms();
      physics.touching("box0", "world");
      physics.pressure(["floor"], "box0");
      physics.bodyVelocity("box0");
      physics.diverged();
      physics.dispose();
    };
    const failure = () => Physics.create("<mujoco><foo/></mujoco>").catch(() => {});
    for (let i = 0; i < 20; i++) await cycle();
    await failure();
    const before = await wasmBytes();
    for (let i = 0; i < 300; i++) await cycle();
    for (let i = 0; i < 30; i++) await failure();
    expect(await wasmBytes()).toBe(before);
  });
});

async function wasmBytes(): Promise<number> {
  const mujoco = await loadMujoco();
  const probe = new mujoco.DoubleBuffer(1);
  const bytes: number = probe.GetView().buffer.byteLength;
  probe.delete();
  return bytes;
}
