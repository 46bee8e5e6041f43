import { appendFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ExternalTask } from "../../tasks/external/task.js";
import { FrozenSimulator } from "./frozen-simulator.js";
import { readRecord } from "./rollouts.js";
import { frozenEpisode, START, writeFrozenWorld } from "./world.fixture.js";
import { readFrozenWorld } from "./world-files.js";

const open: FrozenSimulator[] = [];
const folders: string[] = [];

function simulatorOf(path: string, config: Record<string, unknown> = {}): FrozenSimulator {
  folders.push(dirname(path));
  const simulator = new FrozenSimulator({
    task: new ExternalTask(),
    config,
    scenes: { locate: async () => path },
  });
  open.push(simulator);
  return simulator;
}

afterEach(() => {
  for (const simulator of open.splice(0)) simulator.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("the engine of a frozen world", () => {
  const frozenOn = (version: string) =>
    writeFrozenWorld({
      describe: (description) => ({ ...description, engine: { name: "mujoco", version } }),
    });

  it.each([
    ["3.3.7", "set simulator.engine: mujoco-3.3, or set simulator.any_engine: true"],
    ["3.5.0", 'freeze it with pip install "mujoco==3.14.*", or set simulator.any_engine: true'],
  ])(
    "a world of MuJoCo %s is rejected on the default engine, with the way to play it",
    async (version, hint) => {
      await expect(simulatorOf(frozenOn(version)).reset(frozenEpisode())).rejects.toMatchObject({
        code: "other_engine",
        message: expect.stringContaining(`MuJoCo ${version}, and simulator.engine is mujoco-3.14`),
        hint: expect.stringContaining(hint),
      });
    },
  );

  it("a world of MuJoCo 3.14 is rejected on mujoco-3.3", async () => {
    const simulator = simulatorOf(frozenOn("3.14.0"), { engine: "mujoco-3.3" });
    await expect(simulator.reset(frozenEpisode())).rejects.toMatchObject({
      code: "other_engine",
      hint: expect.stringContaining("set simulator.engine: mujoco-3.14,"),
    });
  });

  it("a world of another version is played if any is allowed", async () => {
    const simulator = simulatorOf(frozenOn("3.3.7"), { any_engine: true });
    await expect(simulator.reset(frozenEpisode())).resolves.toBeDefined();
  });

  it("a world of MuJoCo 3.3 is played on mujoco-3.3 with the bits of that engine", async () => {
    const played = async (config: Record<string, unknown>) => {
      const simulator = simulatorOf(frozenOn("3.3.7"), config);
      await simulator.reset(frozenEpisode());
      for (let i = 0; i < 20; i++) simulator.step([0.7, -0.3]);
      return simulator.step([0, 0]).state.qpos ?? [];
    };
    const older = await played({ engine: "mujoco-3.3" });
    expect(older).toEqual(await played({ engine: "mujoco-3.3" }));
    const newer = await played({ any_engine: true });
    expect(older).toEqual(newer.map((value) => expect.closeTo(value, 6)));
  });
});

describe("a frozen world", () => {
  it("a frozen world starts in the state of the episode and moves its joints to the goals of its controller", async () => {
    const simulator = simulatorOf(writeFrozenWorld());
    const first = await simulator.reset(frozenEpisode());
    expect(first.observation).toMatchObject({ joint_pos: [0.1, 0], block_quat: [0, 0, 0, 1] });
    expect(simulator.actionSpace.limits(0)).toEqual([-1, 1]);
    simulator.step([1, 0.5]);
    let frame = simulator.step([0, 0]);
    for (let i = 0; i < 40; i++) frame = simulator.step([0, 0]);
    const [x = 0, z = 0] = frame.state.qpos ?? [];
    expect(x).toBeGreaterThan(0.12);
    expect(z).toBeGreaterThan(0.01);
    expect(frame.timeS).toBeCloseTo(2.1, 9);
  });

  it("a frozen world observes poses as MuJoCo leaves them: those of the start of the last physics step", async () => {
    const simulator = simulatorOf(writeFrozenWorld());
    await simulator.reset(frozenEpisode());
    const { observation, state } = simulator.step([1, 0]);
    const [x = 0] = state.qpos ?? [];
    const [handX] = observation.hand_pos as number[];
    expect(handX).toBeLessThan(x);
    expect(handX).toBeCloseTo(x - 0.002 * (state.qvel?.[0] ?? 0), 12);
    expect(observation.state).toEqual([
      ...(observation.hand_pos as number[]),
      ...(observation.block_pos as number[]),
    ]);
  });

  it("a frozen world plays an episode twice with the same bits, and undoes changes of the model between episodes", async () => {
    const simulator = simulatorOf(writeFrozenWorld());
    const play = async (start: unknown) => {
      await simulator.reset(frozenEpisode(start));
      for (let i = 0; i < 5; i++) simulator.step([0.7, -0.3]);
      return simulator.step([0, 0]).state.sim_state;
    };
    const first = await play(START);
    const heavy = await play({ ...START, model: { body_mass: { "1": [5] } } });
    expect(heavy).not.toEqual(first);
    expect(await play(START)).toEqual(first);
  });

  it("a frozen world takes the actions of a warm-up before the first observation, whose time is 0", async () => {
    const simulator = simulatorOf(writeFrozenWorld());
    await simulator.reset(frozenEpisode());
    simulator.step([1, 0]);
    const { state } = simulator.step([0.5, 0]);
    const warm_up = [
      [1, 0],
      [0.5, 0],
    ];
    const first = await simulator.reset(frozenEpisode({ ...START, warm_up }));
    expect(first.state.qpos).toEqual(state.qpos);
    expect(first.timeS).toBe(0);
  });

  it("a frozen world mirrors the images of benchmarks whose policies expect it", async () => {
    const rowsOf = async (mirrored: boolean) => {
      const path = writeFrozenWorld({
        describe: ({ cameras, ...rest }) => ({
          ...rest,
          cameras: { ...Object(cameras), mirrored },
        }),
      });
      const simulator = simulatorOf(path, { sensors: { front_image: {} } });
      const { observation } = await simulator.reset(frozenEpisode());
      const { data } = observation.front_image as { data: Uint8Array };
      return Array.from({ length: 64 }, (_, i) => [...data.subarray(3 * i, 3 * i + 3)]);
    };
    const [plain, mirrored] = [await rowsOf(false), await rowsOf(true)];
    expect(mirrored).not.toEqual(plain);
    const swapped = plain.map((_, i) => plain[i - (i % 8) + 7 - (i % 8)]);
    expect(mirrored).toEqual(swapped);
  });

  it("a frozen world draws the cameras that are asked for", async () => {
    const simulator = simulatorOf(writeFrozenWorld(), {
      sensors: { front_image: {}, nothing: {} },
    });
    const { observation } = await simulator.reset(frozenEpisode());
    expect(observation.front_image).toMatchObject({ kind: "rgb", width: 8, height: 8 });
    expect(simulator.missingSensors).toEqual(["nothing"]);
  });

  it("a frozen world draws the sizes and colours that an episode's reset drew", async () => {
    const simulator = simulatorOf(writeFrozenWorld(), { sensors: { front_image: {} } });
    // The block is the fourth geom.
    const look = { geom_size: { "3": [0.2, 0.2, 0.2] }, geom_rgba: { "3": [1, 0, 0, 1] } };
    const imageOf = async (model: object, used = simulator) =>
      (await used.reset(frozenEpisode({ ...START, model }))).observation.front_image;
    const plain = await imageOf({});
    const changed = await imageOf(look);
    expect(changed).not.toEqual(plain);
    const fresh = simulatorOf(writeFrozenWorld(), { sensors: { front_image: {} } });
    expect(changed).toEqual(await imageOf(look, fresh));
    expect(await imageOf({})).toEqual(plain);
  });

  it("a frozen world shows a camera the groups that its sensor lists instead of those of the world", async () => {
    const coloursOf = async (own: object) => {
      const simulator = simulatorOf(writeFrozenWorld(), { sensors: { front_image: own } });
      const { observation } = await simulator.reset(frozenEpisode());
      return new Set((observation.front_image as { data: Uint8Array }).data).size;
    };
    expect(await coloursOf({})).toBeGreaterThan(1);
    expect(await coloursOf({ geom_groups: [5] })).toBe(1);
  });

  it.each([[[1]], [[1, Number.NaN]], [[0, 0, 0]]])(
    "a frozen world rejects the action %j",
    async (action) => {
      const simulator = simulatorOf(writeFrozenWorld());
      await simulator.reset(frozenEpisode());
      expect(() => simulator.step(action)).toThrow(/an action has 2 finite numbers/);
    },
  );
});

const POLYGONS = {
  format: "robot-eval-polygons/1",
  meshes: [{ vertices: [], normals: [] }],
};

describe("a damaged frozen world", () => {
  const reset = (path: string, start: unknown = START) =>
    simulatorOf(path).reset(frozenEpisode(start));

  it("a damaged frozen world is rejected if its model was changed", async () => {
    const path = writeFrozenWorld();
    appendFileSync(join(dirname(path), "small.xml"), "<!-- heavier -->");
    await expect(reset(path)).rejects.toMatchObject({ code: "changed_file" });
  });

  it("a damaged frozen world is rejected if a mesh is missing", async () => {
    const mesh = '<asset><mesh name="m" file="assets/gone.obj"/></asset>';
    const path = writeFrozenWorld({ model: `<mujoco>${mesh}</mujoco>` });
    await expect(reset(path)).rejects.toMatchObject({ code: "missing_file" });
  });

  it("a damaged frozen world is rejected if its model names a file outside its folder", async () => {
    const mesh = '<asset><mesh name="m" file="/etc/passwd"/></asset>';
    const path = writeFrozenWorld({ model: `<mujoco>${mesh}</mujoco>` });
    await expect(reset(path)).rejects.toMatchObject({ code: "outside_folder" });
  });

  it.each([
    [
      "a path instead of a file name",
      { model: { file: "../x.xml", sha256: "0".repeat(64), assets: {} } },
    ],
    ["an unknown format", { format: "robot-eval-frozen/9" }],
    [
      "an unknown controller",
      { action: { low: [0], high: [1], parts: [{ type: "WHOLE_BODY_IK" }] } },
    ],
    ["a body that the model lacks", { objects: ["gone"] }],
  ])("a damaged frozen world is rejected if its description has %s", async (_, change) => {
    const path = writeFrozenWorld({ describe: (description) => ({ ...description, ...change }) });
    await expect(reset(path)).rejects.toMatchObject({ code: "bad_frozen" });
  });

  it.each([
    ["bad_state", { ...START, state: { ...START.state, qpos: [0] } }],
    ["bad_field", { ...START, model: { body_mass: { "999": [1] } } }],
    ["bad_field", { ...START, model: { names_map: { "0": [1] } } }],
    ["bad_episode", { state: START.state }],
  ])("a frozen world rejects an episode with %s", async (code, start) => {
    await expect(reset(writeFrozenWorld(), start)).rejects.toMatchObject({ code });
  });

  it.each<[string, unknown, (path: string) => void, string]>([
    ["is cut off", { format: "robot-eval-polygons/1" }, () => {}, "bad_polygons"],
    ["has polygons of other meshes", POLYGONS, () => {}, "bad_polygons"],
    ["is missing", POLYGONS, (path) => rmSync(path), "missing_file"],
    ["was changed", POLYGONS, (path) => appendFileSync(path, " "), "changed_file"],
  ])("a frozen world is rejected if its file of polygons %s", async (_, polygons, damage, code) => {
    const path = writeFrozenWorld({ polygons });
    damage(join(dirname(path), "small.polygons.json.gz"));
    await expect(reset(path)).rejects.toMatchObject({ code });
  });

  it("a frozen world rejects rollouts that are cut off", async () => {
    const rollout = {
      episode_id: "0",
      source: "random",
      actions: [[0, 0]],
      qpos: [[]],
      ee_pos: [],
      success: [],
    };
    const path = writeFrozenWorld({
      rollouts: { format: "robot-eval-parity/1", rollouts: [rollout] },
    });
    folders.push(dirname(path));
    await expect(readRecord(await readFrozenWorld(path))).rejects.toThrow(
      /1 actions, and 1 positions, 0 end-effector positions and 0 success flags instead of 2/,
    );
  });
});
