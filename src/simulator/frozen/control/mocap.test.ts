import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { StepState } from "../../../core/interfaces/step.js";
import { mergeNeeds } from "../../../core/rules/needs.js";
import { ExternalTask } from "../../../tasks/external/task.js";
import { FrozenSimulator } from "../frozen-simulator.js";
import { frozenEpisode, writeFrozenWorld } from "../world.fixture.js";

/** A floating hand with a finger, welded to a mocap body. */
const MODEL = `<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="hand" pos="0 0 0.5">
      <freejoint/>
      <geom size="0.05" mass="1"/>
      <site name="grip" pos="0 0.1 0"/>
      <body name="tip" pos="0 0.1 0">
        <joint name="finger" type="slide" axis="0 1 0" damping="10"/>
        <geom name="pad" size="0.02" mass="0.1"/>
      </body>
    </body>
    <body name="mocap" mocap="true" pos="0 0 0.5"/>
  </worldbody>
  <equality><weld body1="mocap" body2="hand"/></equality>
  <actuator><position name="finger" joint="finger" kp="100" ctrlrange="-0.1 0.1"/></actuator>
</mujoco>`;

const START = {
  state: {
    qpos: [0, 0, 0.5, 1, 0, 0, 0, 0],
    qvel: [0, 0, 0, 0, 0, 0, 0],
    act: [],
    ctrl: [0],
    qacc_warmstart: [0, 0, 0, 0, 0, 0, 0],
    mocap_pos: [[0, 0, 0.5]],
    mocap_quat: [[1, 0, 0, 0]],
  },
  model: {},
  initial_joints: [],
  constants: { goal: [0.1, 0.1, 0.5] },
};

const MOVE = {
  ...{ type: "MOCAP", start: 0, end: 3, actuators: [], body: "mocap" },
  ...{ input_min: [-1, -1, -1], input_max: [1, 1, 1] },
  ...{ output_min: [-0.05, -0.05, -0.05], output_max: [0.05, 0.05, 0.05] },
};
const FINGER = {
  ...{ type: "DIRECT", start: 3, end: 4, actuators: ["finger"] },
  ...{ inputs: [0], input_min: [-1], input_max: [1] },
};

/** As Gymnasium-Robotics: from the hand, adding to its quaternion, and the finger relative to where it is. */
const FETCH = {
  control: { hz: 25, timestep_s: 0.002, substeps: 20, order: "once" },
  parts: [
    { ...MOVE, from_body: "hand", rotation: { type: "added", quat_wxyz: [1, 0, 0, 0] } },
    { ...FINGER, factors: [1], offsets: ["finger"] },
  ],
};
/** As Meta-World: from the mocap body, within bounds, with a fixed rotation and updated poses. */
const SAWYER = {
  control: {
    ...{ hz: 80, timestep_s: 0.0025, substeps: 5, order: "once" },
    completion: { joints: {} },
  },
  parts: [
    {
      ...{ ...MOVE, rotation: { type: "fixed", quat_wxyz: [1, 0, 1, 0] } },
      bounds: [
        [-0.06, -1, 0],
        [0.06, 1, 1],
      ],
    },
    { ...FINGER, factors: [-1] },
  ],
};

const READINGS = {
  values: {
    grip: { kind: "site_pos", site: "grip" },
    tip: { kind: "body_pos", body: "tip" },
    hand: { kind: "body_quat_xyzw", body: "hand" },
    frame: { kind: "concat", of: ["grip", "tip"] },
    before: { kind: "previous", of: "frame" },
    wide: { kind: "distance", of: ["grip", "tip"] },
  },
  observations: {
    stacked: { kind: "concat", of: ["frame", "before"] },
    opening: { kind: "clipped", of: "wide", low: [0], high: [0.001] },
    turned: { kind: "largest_positive", of: "hand" },
    angles: { kind: "site_euler", site: "grip" },
    speed: { kind: "site_vel", site: "grip" },
    turning: { kind: "site_angular_vel", site: "grip" },
    middle: { kind: "middle", of: ["grip", "tip"] },
    goal: { kind: "constant", name: "goal" },
  },
  points: { grip: "grip" },
};

const open: FrozenSimulator[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const simulator of open.splice(0)) simulator.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function simulatorOf(
  { control, parts }: { control: object; parts: readonly object[] },
  changes: Record<string, unknown> = {},
): FrozenSimulator {
  const path = writeFrozenWorld({
    model: MODEL,
    describe: (description) => ({
      ...description,
      ...{ control, objects: [] },
      robot: {
        ...{ name: "hand", joints: ["finger"], gripper_joints: ["finger"] },
        ...{ site: "grip", hand: "hand", fingers: [["pad"], []] },
      },
      action: { low: [-1, -1, -1, -1], high: [1, 1, 1, 1], parts },
      cameras: {
        ...{ names: [], width: 8, height: 8, origin: "top_left" },
        ...{ geom_groups: [0], site_groups: [] },
      },
      ...READINGS,
      ...changes,
    }),
  });
  folders.push(dirname(path));
  const simulator = new FrozenSimulator({
    task: new ExternalTask(),
    config: {},
    scenes: { locate: async () => path },
  });
  open.push(simulator);
  return simulator;
}

async function played(simulator: FrozenSimulator, start: object = START) {
  await simulator.reset(frozenEpisode(start));
  for (const action of ACTIONS) simulator.step(action);
  return simulator.step([0, 0, 0, 0]);
}

const ACTIONS = [
  [1, 0.5, -0.3, 0.04],
  [0.7, -2, 0.1, -0.02],
  [-0.2, 0.3, 0.9, 0.3],
];

/** Of `sim_state`: time, qpos, qvel. */
function positionsIn({ sim_state }: StepState): readonly unknown[] {
  return Array.isArray(sim_state) ? sim_state.slice(1, 9) : [];
}

const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 11));

describe("a hand that is welded to a mocap body", () => {
  // Both goldens: MuJoCo 3.14 in Python.
  it("a hand that is welded to a mocap body is moved as Gymnasium-Robotics moves Fetch", async () => {
    const { state, observation } = await played(simulatorOf(FETCH));
    // `ctrl_set_action` and `mocap_set_action` of gymnasium_robotics 1.4.2, and 20 physics steps.
    expect(positionsIn(state)).toEqual(
      near([
        0.048664240901400285, -0.006400360866410269, 0.5224113982124339, 0.9999960016805151,
        -0.0027380486004688767, -1.3676461610543297e-5, -0.0007067713900761948, 0.03591479436582446,
      ]),
    );
    // Poses are those of the start of the last physics step.
    expect(observation).toMatchObject({
      angles: near([-0.005245204875200917, -2.4317951468317906e-5, -0.0014180425510751996]),
      speed: near([0.024868850707959675, -0.04045078338718012, -0.09350483526146716]),
      turning: near([-0.11545861986984961, 0.000429611187354261, 0.002212757753894601]),
      goal: [0.1, 0.1, 0.5],
      opening: [0.001],
    });
  });

  it("a hand that is welded to a mocap body is moved as Meta-World moves Sawyer, and observed after an update of its poses", async () => {
    const { state, observation } = await played(simulatorOf(SAWYER));
    // The steps of `SawyerXYZEnv.step` in metaworld 3.1.1.
    expect(positionsIn(state)).toEqual(
      near([
        0.038417947133539944, -0.005316553878974211, 0.5095872203445675, 0.8327782892161899,
        -0.004442725603903912, 0.5535877615572448, -0.0010832605426218378, -0.00934364937195636,
      ]),
    );
    const grip = [0.0381064826013763, 0.0946792638681868, 0.5087273233031976];
    const tip = [0.038135584755179676, 0.08533600527127155, 0.508807669067703];
    const before = [
      ...[0.031069430017074743, 0.09740732650767275, 0.4999414156863237],
      ...[0.03110418480290208, 0.09222524250243433, 0.49996280586770153],
    ];
    expect(observation).toMatchObject({
      stacked: near([...grip, ...tip, ...before]),
      middle: near(grip.map((value, i) => (value + (tip[i] ?? 0)) / 2)),
      // `Rotation.from_matrix(...).as_quat()` of SciPy.
      turned: near([
        -0.004442725603903913, 0.5535877615572448, -0.0010832605426218378, 0.8327782892161901,
      ]),
    });
    expect(state.objects?.grip?.position).toEqual(near(grip));
  });

  it("a hand that is welded to a mocap body observes the previous frame of the reset in the first step, as the original saw it", async () => {
    const simulator = simulatorOf(FETCH);
    const frame = [1, 2, 3, 4, 5, 6];
    const first = await simulator.reset(frozenEpisode({ ...START, first_values: { frame } }));
    expect(first.observation.stacked).toEqual([...frame, ...frame]);
    const { observation } = simulator.step([0, 0, 0, 0]);
    expect((observation.stacked as number[]).slice(6)).toEqual(frame);
  });

  it("a hand that is welded to a mocap body keeps joints where the original holds them", async () => {
    const held = { ...FETCH.control, completion: { joints: { finger: 0.02 } } };
    const simulator = simulatorOf({ ...FETCH, control: held });
    const { state } = await played(simulator);
    expect(state.qpos).toEqual([0.02]);
  });
});

describe("a description of such a world", () => {
  const reset = (changes: Record<string, unknown>) =>
    simulatorOf(FETCH, changes).reset(frozenEpisode(START));
  const parts = [{ ...FETCH.parts[0], body: "hand" }];

  it.each([
    [{ action: { low: [-1], high: [1], parts } }, /"hand" is to be moved, but it is no mocap body/],
    [{ points: { grip: "gone" } }, /refers to "gone", which the description lacks/],
    [{ observations: { x: { kind: "previous", of: "gone" } } }, /refers to "gone"/],
    [{ observations: { x: { kind: "geom_pos", geom: "gone" } } }, /no geom "gone"/],
  ])(
    "the description of a world with a mocap body is rejected with %j",
    async (changes, message) => {
      await expect(reset(changes)).rejects.toThrow(message);
    },
  );

  it("the description of a world with a mocap body is rejected if a rule needs more of a point than its position", async () => {
    const simulator = simulatorOf(FETCH);
    const needs = mergeNeeds([{ object: "grip", aspect: "motion" }]);
    await expect(simulator.reset(frozenEpisode(START), { facts: needs })).rejects.toThrow(
      /"grip" is a point, which has a position only/,
    );
  });
});
