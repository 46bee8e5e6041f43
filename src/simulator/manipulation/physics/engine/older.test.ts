import { describe, expect, it } from "vitest";
import { Physics } from "../physics.js";

const FALL = `<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="2 2 1"/>
    <body name="cup" pos="0 0 .3" quat="1 .2 .3 .1"><freejoint/><geom type="cylinder" size=".05 .06"/></body>
    <body name="box" pos=".02 .03 .08"><freejoint/><geom type="box" size=".05 .07 .04"/></body>
  </worldbody>
</mujoco>`;

const ARM = `<mujoco>
  <asset><material name="grey" rgba=".5 .5 .5 1" texuniform="true"/></asset>
  <worldbody>
    <light name="lamp" pos="0 0 2" dir="0 0 -1" castshadow="false"/>
    <camera name="front" pos="0 -2 1" xyaxes="1 0 0 0 0.4 1"/>
    <camera name="flat" pos="0 -2 1" xyaxes="1 0 0 0 0.4 1" orthographic="true" fovy="1"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="arm" pos="0 0 .5">
      <joint name="turn" axis="0 0 1" range="-1 1" limited="true"/>
      <geom size=".05" mass="1" material="grey"/>
      <body name="hand" pos=".3 0 0">
        <joint name="lift" type="slide" axis="0 0 1"/>
        <geom size=".03" mass=".5"/>
        <site name="grip" pos=".1 0 0"/>
      </body>
    </body>
    <body name="box" pos=".5 0 .049"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
  </worldbody>
  <actuator>
    <motor name="mt" joint="turn" ctrlrange="-2 2" ctrllimited="true"/>
    <motor name="ml" joint="lift"/>
  </actuator>
</mujoco>`;

/** The attribute of cameras was renamed. */
const NEWER_ARM = ARM.replace('orthographic="true"', 'projection="orthographic"');

describe("the engine mujoco-3.3", () => {
  it("the engine mujoco-3.3 gives the bits of MuJoCo 3.3.7 in Python to bodies that fall onto each other, unlike 3.14", async () => {
    expect(await fallen("mujoco-3.3")).toEqual(GOLDEN);
    const [x = 0] = await fallen("mujoco-3.14");
    expect(Math.abs(x - (GOLDEN[0] ?? 0))).toBeGreaterThan(1e-3);
  });

  it("the engine mujoco-3.3 reads poses, Jacobians, limits, contacts, rays and cameras as 3.14 does", async () => {
    const [older, newer] = [await readings("mujoco-3.3"), await readings("mujoco-3.14")];
    expect(older.numbers).toEqual(newer.numbers.map((value) => expect.closeTo(value, 12)));
    expect(older.values).toEqual(newer.values);
    expect(older.forceN).toBeCloseTo(newer.forceN, 3);
  });

  it("the engine mujoco-3.3 reports a state that diverged", async () => {
    const unstable = ARM.replace('name="lift"', 'name="lift" stiffness="-1e12" ref="0.1"');
    const physics = await Physics.create(unstable, { engine: "mujoco-3.3" });
    physics.step(50);
    expect(physics.diverged()).toContain('of joint "lift" is not finite or too large');
    physics.dispose();
  });

  it("the engine mujoco-3.3 rejects a model that it cannot read, and loads the next one", async () => {
    const broken = ARM.replace('type="box"', 'type="cube"');
    await expect(Physics.create(broken, { engine: "mujoco-3.3" })).rejects.toMatchObject({
      code: "bad_mjcf",
      message: expect.stringContaining("MuJoCo 3.3.8 rejects it"),
    });
    expect(await fallen("mujoco-3.3")).toEqual(GOLDEN);
  });
});

async function fallen(engine: "mujoco-3.3" | "mujoco-3.14"): Promise<number[]> {
  const physics = await Physics.create(FALL, { engine });
  physics.step(400);
  const positions = physics.wholeState().slice(1, 15);
  physics.dispose();
  return positions;
}

async function readings(engine: "mujoco-3.3" | "mujoco-3.14") {
  const physics = await Physics.create(engine === "mujoco-3.3" ? ARM : NEWER_ARM, { engine });
  physics.setControl("mt", 1);
  physics.step(1);
  const { position, rotation_wxyz } = physics.site("grip");
  const { linear, angular } = physics.siteVelocity("grip");
  const [hit] = physics.look("front", [[0, 0.9, -0.4]], 10);
  const drawing = physics.drawing({
    ...{ geomGroups: [0], siteGroups: [0], skinGroups: [0] },
    ...{ shadows: true, reflections: true, samples: 4, transparentDepth: false },
  });
  const found = {
    numbers: [
      ...[...position, ...rotation_wxyz, ...linear, ...angular],
      ...physics.jacobian("grip", ["turn", "lift"]),
      ...physics.inertia(["turn", "lift"]),
      ...[physics.jointBias("lift"), physics.jointAcceleration("turn"), hit?.distanceM ?? 0],
    ],
    values: {
      hit: hit?.geom,
      camera: physics.camera("front"),
      lens: physics.camera("flat").lens,
      ranges: [physics.jointRange("turn"), physics.jointRange("lift")],
      controls: [physics.controlRange("mt"), physics.controlRange("ml")],
      touching: physics.touching("box", "world"),
      drawing,
    },
    forceN: physics.pressure(["floor"], "box"),
  };
  physics.dispose();
  return found;
}

/** mujoco 3.3.7 in Python: 400 calls of `mj_step`, then `qpos`. That of 3.14.0 starts with -0.126173. */
const GOLDEN = [
  -0.1283120512994804, 0.021467292695540336, 0.04336805411431518, 0.6761968353777388,
  -0.08648023139583558, -0.7254280948450343, 0.0950425621095939, 0.020189901902684864,
  0.030031880557589707, 0.039890385709915814, 0.9999999996564749, 4.407083703623272e-7,
  -0.000014800244639361373, 0.000021628907755510998,
];
