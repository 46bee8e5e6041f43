import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { evaluate, onlyLine, tempDir, tinyWorld } from "../../../test/support/tiny-world.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { type DataError, RobotEvalError } from "../../core/errors.js";
import type { Agent } from "../../core/interfaces/agent.js";
import { isImage } from "../../core/interfaces/observation.js";
import { JudgedSimulator } from "../../core/rules/judged-simulator.js";
import { SceneFolder } from "../../dataset/scenes.js";
import { createRegistries } from "../../registry/registries.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { PickAndPlaceTask } from "../../tasks/manipulation/pick-place.js";
import { CATEGORIES } from "../scenes/categories.js";
import { CRANE, WORKSHOP, write, writeWorkshop } from "./foreign.fixture.js";
import { mujocoSimulatorFactory } from "./mujoco-backend.js";
import { MujocoSimulator } from "./mujoco-simulator.js";
import { Physics } from "./physics/physics.js";

const TARGET = [0.5, 0.25, 0.45];

function episode(init: Partial<EpisodeInit> = {}): BaseEpisode {
  return new BaseEpisode({
    episodeId: "e1",
    taskType: "pick_place",
    sceneId: "scenes/workshop.xml",
    goals: { target_object: { name: "crate" }, target_location: { position: TARGET } },
    instruction: { text: "Move the crate." },
    ...init,
  });
}

const open: MujocoSimulator[] = [];
afterEach(() => {
  for (const simulator of open.splice(0)) simulator.close();
});

interface Workshop {
  readonly text?: string;
  readonly robot?: RobotDescriptor;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly mode?: string;
}

async function workshop({ text, robot = CRANE, config, mode }: Workshop = {}) {
  const folder = tempDir();
  await writeWorkshop(folder, text);
  const robots = { find: () => robot, list: () => [robot.robotType] };
  const task = new PickAndPlaceTask(
    { robot_type: robot.robotType, ...(mode ? { control_mode: mode } : {}) },
    { robots },
  );
  const simulator = new MujocoSimulator({
    task,
    config: { sensors: {}, ...config },
    scenes: new SceneFolder(folder),
  });
  open.push(simulator);
  return simulator;
}

/** The first frame, evaluated by the episode's rule. */
function judged(simulator: MujocoSimulator, one: BaseEpisode) {
  const task = new PickAndPlaceTask({ goals: one.goals });
  return new JudgedSimulator(simulator, task).reset(one, { seed: 0 });
}

async function refusal(work: Promise<unknown>): Promise<RobotEvalError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RobotEvalError) return error;
    throw error;
  }
  throw new Error("it was taken");
}

/** Swivel and boom values that bring the claw above a point. */
const over = (x: number, y: number) => [Math.atan2(y, x), Math.hypot(x, y) - 0.4] as const;

/** Moves the crate to the target with hard-coded positions. */
class CraneDriver implements Agent {
  #step = 0;
  reset(): void {
    this.#step = 0;
  }
  act(): readonly number[] {
    const [from, to] = [over(0.55, -0.2), over(0.5, 0.25)];
    const [down, up, closed] = [0.27, 0.05, -0.06];
    const plan = [
      [60, ...from, 0, 0],
      [50, ...from, down, 0],
      [25, ...from, down, closed],
      [50, ...from, up, closed],
      [90, ...to, up, closed],
      [60, ...to, down, closed],
      [300, ...to, down, 0],
    ];
    let left = this.#step++;
    const now = plan.find(([steps = 0]) => {
      left -= steps;
      return left < 0;
    });
    return (now ?? [0, ...to, 0, 0]).slice(1);
  }
}

describe("a user's scene and robot in the evaluator", () => {
  async function run(agent: string | (() => Agent), steps: number) {
    const scenes = tempDir();
    await writeWorkshop(scenes);
    const world = tinyWorld({
      episodes: [episode()],
      type: "pick_place",
      tasks: ["pick_place"],
      config: { profile: undefined, robot_type: "crane", metrics: ["manip_success"] },
      evaluation: { max_steps: steps },
      sections: { simulator: { backend: "mujoco", scenes } },
    });
    const registries = createRegistries();
    registries.robots.register("crane", CRANE);
    return onlyLine(await evaluate(world, agent, { registries }));
  }

  it("the scene and robot of a user in the evaluator are controlled and evaluated like the built-in ones: a scripted crane succeeds", async () => {
    const line = await run(() => new CraneDriver(), 400);
    expect(line).toMatchObject({ outcome: "success", end_reason: "success" });
    expect(line.metrics.manip_success).toBe(1);
  });

  it("the scene and robot of a user in the evaluator get an explanation of a failure", async () => {
    const line = await run("random", 15);
    expect(line).toMatchObject({ outcome: "failure", end_reason: "max_steps" });
    expect(line.explanation).toContain("never reached crate");
  });
});

describe("a scene file with the robot", () => {
  it("a scene file with the robot is used unchanged, with its own time step", async () => {
    const simulator = await workshop();
    const { state } = await simulator.reset(episode());
    expect(state.scene_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(simulator.step([0, 0, 0, 0]).timeS).toBeCloseTo(0.05, 12);
    await simulator.reset(episode({ simParams: { time_step: 0.001 } }));
    expect(simulator.step([0, 0, 0, 0]).timeS).toBeCloseTo(0.05, 12);
  });

  it("a scene file with the robot is compiled once for all its episodes, each of which equals a single run to the bit", async () => {
    const simulator = await workshop();
    const here = (y: number) =>
      episode({ taskConfig: { scene_objects: [{ name: "crate", position: [0.55, y] }] } });
    const play = async (by: MujocoSimulator, one: BaseEpisode) => {
      const states = [(await by.reset(one)).state];
      for (let i = 0; i < 30; i++) states.push(by.step([0.5, 0.1, 0.02 * i, -0.05]).state);
      return JSON.stringify(states);
    };
    const together = [await play(simulator, here(-0.2)), await play(simulator, here(0.1))];
    const compiled = vi.spyOn(Physics, "create");
    onTestFinished(() => compiled.mockRestore());
    expect(await play(simulator, here(-0.2))).toBe(together[0]);
    expect(compiled).not.toHaveBeenCalled();
    expect(await play(await workshop(), here(0.1))).toBe(together[1]);
    // An added box or another time step makes another world.
    compiled.mockClear();
    await simulator.reset(episode({ simParams: { time_step: 0.001 } }));
    const box = { name: "box_red", position: [0.55, 0.3, 0.5] };
    await simulator.reset(episode({ taskConfig: { scene_objects: [box] } }));
    expect(compiled).toHaveBeenCalledTimes(2);
  });

  it("a scene file with the robot has its bodies as objects, with the pose of the centre of their bounding box", async () => {
    const { state } = await judged(await workshop(), episode());
    // The mesh is a centimetre above the origin of its body.
    expect(state.objects?.crate?.position[2]).toBeCloseTo(0.451, 6);
    expect(state.lift_m).toBe(0);
  });

  it("a scene file with the robot starts with the joints of the episode, coupled joints and free bodies", async () => {
    const simulator = await workshop();
    const joint_positions = [0.5, 0.1, 0.2, -0.05];
    const { state } = await simulator.reset(
      episode({
        startState: { joint_positions },
        taskConfig: { scene_objects: [{ name: "crate", position: [0.6, 0.1], yaw: 0.3 }] },
      }),
    );
    expect(state.qpos).toEqual(joint_positions);
    const { position = [], rotation_wxyz = [] } = state.objects?.crate ?? {};
    expect([...position]).toEqual([0.6, 0.1, expect.closeTo(0.451, 6)]);
    expect(rotation_wxyz[3]).toBeCloseTo(Math.sin(0.15), 9);
    // A second jaw that was not placed would pull the first one back.
    const after = simulator.step(joint_positions).state.qpos ?? [];
    expect(after[3]).toBeCloseTo(-0.05, 3);
  });

  it.each(["joint_delta", "ee_delta_pose"])(
    "a scene file with the robot can be controlled with %s",
    async (mode) => {
      const simulator = await workshop({ mode });
      const before = (await simulator.reset(episode())).state.ee_pose ?? [];
      const action = mode === "joint_delta" ? [0, 0, 0.02, 0] : [0, 0, -0.02, 0, 0, 0, 1];
      let { state } = simulator.step(action);
      for (let i = 0; i < 10; i++) ({ state } = simulator.step(action));
      expect((state.ee_pose?.[2] ?? 0) - (before[2] ?? 0)).toBeLessThan(-0.1);
      expect(Math.abs((state.ee_pose?.[1] ?? 0) - (before[1] ?? 0))).toBeLessThan(0.01);
    },
  );

  it("a scene file with the robot is rendered through its cameras, with meshes and textures", async () => {
    const simulator = await workshop({ config: { sensors: { rgb_head: {}, rgb_wrist: {} } } });
    const { observation } = await simulator.reset(episode());
    const { rgb_head } = observation;
    if (!isImage(rgb_head)) throw new Error("no picture");
    const colors = new Set<string>();
    let red = 0;
    for (let i = 0; i < rgb_head.data.length; i += 3) {
      const [r = 0, g = 0, b = 0] = rgb_head.data.subarray(i, i + 3);
      colors.add(`${r} ${g} ${b}`);
      if (r > 2 * g && r > 2 * b) red++;
    }
    expect(red).toBeGreaterThan(50);
    expect(colors.size).toBeGreaterThan(20);
    expect(simulator.missingSensors).toEqual([]);
  });

  it("a scene file with the robot shows cameras only the groups of geoms and sites that the benchmark lists", async () => {
    const sensors = { semantic_head: { width: 32, height: 24 } };
    const seen = async (groups: object) => {
      const simulator = await workshop({ config: { sensors, ...groups } });
      const { semantic_head } = (await simulator.reset(episode())).observation;
      if (!isImage(semantic_head)) throw new Error("no picture");
      return new Set(semantic_head.data).size;
    };
    expect(await seen({})).toBeGreaterThan(2);
    expect(await seen({ geom_groups: [5], site_groups: [] })).toBe(1);
  });

  it("a scene file with the robot shows a camera the groups that its sensor lists instead of those of the benchmark", async () => {
    const size = { width: 32, height: 24 };
    const seen = async (own: object) => {
      const sensors = { semantic_head: { ...size, ...own }, semantic_wrist: size };
      const simulator = await workshop({ config: { sensors, geom_groups: [5], site_groups: [] } });
      const { observation } = await simulator.reset(episode());
      return ["semantic_head", "semantic_wrist"].map((name) => {
        const image = observation[name];
        if (!isImage(image)) throw new Error("no picture");
        return new Set(image.data).size;
      });
    };
    expect(await seen({})).toEqual([1, 1]);
    const [head, wrist] = await seen({ geom_groups: [0, 1, 2] });
    expect(head).toBeGreaterThan(2);
    expect(wrist).toBe(1);
  });

  it("a scene file with the robot draws the meshes and textures of a scene once for all of its episodes, and again for other groups", async () => {
    const simulator = await workshop({ config: { sensors: { rgb_head: {} } } });
    const drawing = vi.spyOn(Physics.prototype, "drawing");
    await simulator.reset(episode());
    await simulator.reset(episode({ startState: { joint_positions: [0.5, 0.1, 0.2, -0.05] } }));
    expect(drawing).toHaveBeenCalledTimes(1);
    drawing.mockRestore();
  });

  it("a scene file with the robot numbers the pixels of semantic images by geom, body or category, as the setting ids of the sensor says", async () => {
    const seen = async (ids: string) => {
      const sensors = { semantic_head: { width: 64, height: 48, ids } };
      const simulator = await workshop({ config: { sensors } });
      const { semantic_head } = (await simulator.reset(episode())).observation;
      if (!isImage(semantic_head)) throw new Error("no picture");
      return new Set(semantic_head.data);
    };
    const [geoms, bodies, categories] = [
      await seen("geom"),
      await seen("instance"),
      await seen("category"),
    ];
    expect(geoms.size).toBeGreaterThan(bodies.size);
    expect(categories).toContain(CATEGORIES.indexOf("box"));
  });

  it("a scene file with the robot says what its images lack of the model", async () => {
    const simulator = await workshop({ config: { sensors: { rgb_head: {} } } });
    await simulator.reset(episode());
    expect(simulator.notes).toEqual(["images do not show 1 spatial tendon of the MuJoCo model"]);
  });

  it("a scene file with the robot reports a camera sensor as missing if it lacks that camera of the robot", async () => {
    const simulator = await workshop({
      text: WORKSHOP.replace('name="gallery"', 'name="balcony"'),
      config: { sensors: { rgb_head: {}, rgb_wrist: {}, qpos: {} } },
    });
    const { observation, state } = await simulator.reset(episode());
    expect(Object.keys(observation).sort()).toEqual(["qpos", "rgb_wrist"]);
    expect(isImage(observation.rgb_wrist)).toBe(true);
    expect(simulator.missingSensors).toEqual(["rgb_head"]);
    expect(state.missing_sensors).toEqual(["rgb_head"]);
  });

  it("a scene file with the robot accepts the episode additions and keeps its own options", async () => {
    const simulator = await workshop();
    const { state } = await simulator.reset(
      episode({
        taskConfig: {
          scene_objects: [
            { name: "cup_blue", position: [0.5, 0.3, 0.45], size: [0.06, 0.06, 0.09] },
          ],
        },
      }),
    );
    expect(Object.keys(state.objects ?? {})).toEqual(["cup_blue", "crate"]);
    let frame = simulator.step([0, 0, 0, 0]);
    for (let i = 0; i < 20; i++) frame = simulator.step([0, 0, 0, 0]);
    // The box and the crate both stand on the file's bench.
    expect(frame.state.objects?.cup_blue?.position[2]).toBeCloseTo(0.445, 2);
    expect(frame.state.objects?.crate?.position[2]).toBeCloseTo(0.44, 2);
    expect(frame.state.error).toBeUndefined();
  });

  it("a scene file with the robot can have drawers and doors, found by the element names of fixtures", async () => {
    const drawer = `<body name="chest"><body name="chest_panel" pos="0.3 0.6 0.2">
      <joint name="chest_joint" type="slide" axis="-1 0 0" range="0 0.2" damping="5"/>
      <geom type="box" size="0.1 0.1 0.05"/><site name="chest_handle" pos="-0.1 0 0"/></body></body>`;
    const simulator = await workshop({
      text: WORKSHOP.replace('<body name="fan"', `${drawer}<body name="fan"`),
    });
    const { state } = await judged(
      simulator,
      episode({
        goals: { target_fixture: { name: "chest" }, success_criteria: { type: "opened" } },
      }),
    );
    expect(state.conditions?.map(({ name, value }) => [name, value])).toEqual([
      ["opened", 0],
      ["at_rest", 0],
    ]);
  });
});

describe("a reset", () => {
  const without = (part: string, other = "") => WORKSHOP.replace(part, other);
  const craneWith = (model: Partial<NonNullable<RobotDescriptor["model"]>>): RobotDescriptor => ({
    ...CRANE,
    ...(CRANE.model ? { model: { ...CRANE.model, ...model } } : {}),
  });
  const reset = async (options: Workshop, init: Partial<EpisodeInit> = {}) =>
    (await workshop(options)).reset(episode(init));

  it.each<[string, Workshop, Partial<EpisodeInit>, Partial<DataError>]>([
    [
      "a joint that the file lacks",
      { text: WORKSHOP.replaceAll('"boom"', '"bomm"') },
      {},
      {
        message: expect.stringContaining('"boom"'),
        hint: expect.stringContaining('did you mean "bomm"?'),
      },
    ],
    [
      "an actuator that the file lacks",
      { robot: craneWith({ actuators: ["turn", "reach", "wench", "claw"] }) },
      {},
      { hint: expect.stringContaining('did you mean "winch"?') },
    ],
    [
      "an actuator that is not a position servo",
      { robot: craneWith({ actuators: ["turn", "reach", "winch", "breeze"] }) },
      {},
      {
        message: expect.stringContaining(
          '"breeze" of jaw_a of the robot crane is not a position servo',
        ),
      },
    ],
    [
      "a site that the file lacks",
      { robot: craneWith({ endEffectorSite: "gripp" }) },
      {},
      { hint: expect.stringContaining('did you mean "grip"?') },
    ],
    [
      "a ball joint as a degree of freedom",
      {
        robot: {
          ...CRANE,
          dofs: CRANE.dofs.map((dof, i) => (i === 0 ? { ...dof, joints: ["cord"] } : dof)),
        },
      },
      {},
      { message: expect.stringContaining('the joint "cord" of swivel') },
    ],
    [
      "a base pose for a robot in the file",
      {},
      { startState: { base_pose: [1, 0, 0] } },
      { where: "episode e1, start_state.base_pose" },
    ],
    [
      "a target that does not exist",
      {},
      { goals: { target_object: { name: "crat" }, target_location: { position: [0, 0, 0] } } },
      { message: '"crat" is not in the scene' },
    ],
    [
      "another mass for a body of the file",
      {},
      { taskConfig: { scene_objects: [{ name: "crate", position: [0, 0], mass: 1 }] } },
      { where: "episode e1, task_config.scene_objects.0.mass" },
    ],
    [
      "a position for a fixed body",
      {},
      { taskConfig: { scene_objects: [{ name: "bench", position: [0, 0] }] } },
      { message: expect.stringContaining("has no free joint") },
    ],
    [
      "finger friction for a robot in the file",
      {},
      { taskConfig: { physics: { finger_friction: 0.1 } } },
      { where: "episode e1, task_config.physics.finger_friction" },
    ],
    [
      "a time step of the file that does not divide an action",
      { text: without('timestep="0.0025"', 'timestep="0.003"') },
      {},
      { hint: expect.stringContaining("0.003125 (16 steps) or 0.00294117647 (17 steps)") },
    ],
    ["a scene that is not a file", {}, { sceneId: "tabletop" }, { where: "episode e1, scene_id" }],
    ["a file that does not exist", {}, { sceneId: "scenes/none.xml" }, { code: "missing_scene" }],
    [
      "MJCF that MuJoCo cannot compile",
      { text: without('type="slide"', 'type="slid"') },
      {},
      { code: "bad_mjcf", message: expect.stringContaining("slid") },
    ],
  ])("a reset rejects %s", async (_, options, init, expected) => {
    expect(await refusal(reset(options, init))).toMatchObject(expected);
  });

  it("a reset names element, line and candidate paths of a missing mesh", async () => {
    const error = await refusal(reset({ text: without("crate.obj", "krate.obj") }));
    expect(error.code).toBe("missing_file");
    expect(error.message).toBe('<mesh file="krate.obj"> names a file that does not exist');
    expect(error.where).toMatch(/scenes\/workshop\.xml:7$/);
    expect(error.hint).toMatch(/meshes\/krate\.obj$/);
  });

  it("a reset works in the same simulator after the file was fixed", async () => {
    const folder = tempDir();
    await writeWorkshop(folder, without("crate.obj", "krate.obj"));
    const robots = { find: () => CRANE, list: () => ["crane"] };
    const simulator = new MujocoSimulator({
      task: new PickAndPlaceTask({ robot_type: "crane" }, { robots }),
      config: { sensors: {} },
      scenes: new SceneFolder(folder),
    });
    open.push(simulator);
    await refusal(simulator.reset(episode()));
    write(folder, { "scenes/workshop.xml": WORKSHOP });
    expect((await simulator.reset(episode())).timeS).toBe(0);
  });
});

describe("checking the worlds of a benchmark", () => {
  async function problemsOf(
    robot: RobotDescriptor,
    episodes: readonly BaseEpisode[],
    sensors?: Readonly<Record<string, object>>,
  ) {
    const folder = tempDir();
    await writeWorkshop(folder);
    const robots = { find: () => robot, list: () => [robot.robotType] };
    const options = {
      task: new PickAndPlaceTask({ robot_type: robot.robotType }, { robots }),
      config: sensors ? { sensors } : { sensors: {} },
      scenes: new SceneFolder(folder),
    };
    return (await mujocoSimulatorFactory.checkWorlds?.(options, episodes)) ?? [];
  }

  it("checking the worlds of a benchmark reports nothing about a world that can be built", async () => {
    expect(await problemsOf(CRANE, [episode()])).toEqual([]);
  });

  it("checking the worlds of a benchmark counts and names the missing scene files, and says where they were looked for", async () => {
    const missing = ["a", "b", "c", "d"].map((name, i) =>
      episode({ episodeId: String(i), sceneId: `scenes/${name}.xml` }),
    );
    const [problem, ...more] = await problemsOf(CRANE, [episode(), ...missing]);
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ level: "error", code: "missing_scene" });
    expect(problem?.message).toContain(
      "4 of 5 scenes cannot be used, so 4 of 5 episodes cannot run: scenes/a.xml, scenes/b.xml, scenes/c.xml and 1 more",
    );
    expect(problem?.message).toMatch(/looked for .*scenes\/a\.xml/);
  });

  it("checking the worlds of a benchmark reports all actuators and joints of the robot that the model lacks", async () => {
    const { model } = CRANE;
    if (!model) throw new Error("the crane has a model");
    const actuators = model.actuators.map((name, i) => (i < 2 ? `no_${name}` : name));
    const robot = { ...CRANE, model: { ...model, actuators } };
    const [problem] = await problemsOf(robot, [episode()]);
    expect(problem?.level).toBe("error");
    for (const name of actuators.slice(0, 2)) expect(problem?.message).toContain(name);
  });

  it("checking the worlds of a benchmark reports a camera that the benchmark requests and the model lacks", async () => {
    const { model } = CRANE;
    if (!model) throw new Error("the crane has a model");
    const robot = { ...CRANE, model: { ...model, cameras: { ...model.cameras, head: "attic" } } };
    const problems = await problemsOf(robot, [episode()], { rgb_head: {} });
    expect(problems).toMatchObject([
      { level: "error", code: "no_camera", message: expect.stringContaining('"rgb_head"') },
    ]);
  });
});
