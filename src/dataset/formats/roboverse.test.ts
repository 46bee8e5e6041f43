import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import type { DataError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import type { DatasetSource } from "../format.js";
import { detectFormat, loadEpisodes } from "../loader.js";
import { roboverseFormat } from "./roboverse.js";

const folder = temporaryFolder();

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(bytes) : bytes);
  return path;
}

async function load(path: string, more: Partial<DatasetSource> = {}): Promise<BaseEpisode[]> {
  const episodes: BaseEpisode[] = [];
  for await (const one of roboverseFormat.episodes({ path, ...more })) episodes.push(one);
  return episodes;
}

const [UPRIGHT, TURNED] = [
  [1, 0, 0, 0],
  [0, 0, 0, 1],
];
const robot = (joint1: number, finger: number) => ({
  pos: [0, 0, 0.5],
  rot: UPRIGHT,
  dof_pos: { joint1, finger },
});

/** Joints are not in alphabetical order, and the order may differ between actions. */
const demo = () => ({
  actions: [
    { dof_pos_target: { joint1: 0.1, finger: 0.04 } },
    { dof_pos_target: { finger: 0.02, joint1: 0.2 } },
  ],
  init_state: {
    franka: robot(0, 0.04),
    cube: { pos: [0.3, -0.2, 0.82], rot: TURNED },
    drawer: { pos: [1, 0, 0], rot: UPRIGHT, dof_pos: { slide: 0.1 } },
  },
  states: [{ franka: robot(0.05, 0.04) }, { franka: robot(0.15, 0.03) }],
  extra: null,
});

describe("RoboVerse trajectories", () => {
  it.each(["franka_v2.json", "franka_v2.json.gz"])(
    "the RoboVerse reader detects trajectories by content: %s",
    async (name) => {
      const path = file(name, { franka: [demo()] });
      expect((await detectFormat(path, createRegistries().formats)).name).toBe("roboverse");
    },
  );

  it("the RoboVerse reader detects trajectories whose first demonstration exceeds the sample", async () => {
    const actions = Array.from({ length: 5000 }, () => demo().actions[0]);
    const path = file("long_v2.json", { franka: [{ ...demo(), actions }] });
    expect((await detectFormat(path, createRegistries().formats)).name).toBe("roboverse");
    expect((await load(path))[0]?.referenceData?.trajectory?.actions).toHaveLength(5000);
  });

  it("the RoboVerse reader reads trajectories with the joints in alphabetical order", async () => {
    const [first, second] = await load(file("franka_v2.json", { franka: [demo(), demo()] }));
    expect(second?.episodeId).toBe("franka_1");
    expect(first?.toDict()).toMatchObject({
      episode_id: "franka_0",
      task_type: "manipulation",
      scene_id: "franka_v2",
      start_state: {
        joint_positions: [0.04, 0],
        base_position: [0, 0, 0.5],
        base_rotation_wxyz: UPRIGHT,
        objects: {
          cube: { position: [0.3, -0.2, 0.82], rotation_wxyz: TURNED },
          drawer: { position: [1, 0, 0], rotation_wxyz: UPRIGHT, joints: { slide: 0.1 } },
        },
      },
      reference_data: {
        trajectory: {
          actions: [
            [0.04, 0.1],
            [0.02, 0.2],
          ],
          qpos: [
            [0.04, 0.05],
            [0.03, 0.15],
          ],
        },
      },
      task_config: { robot_type: "franka", joint_names: ["finger", "joint1"], frames: 2 },
    });
  });

  it("the RoboVerse reader keeps end-effector targets if every action has one", async () => {
    const pose = { pos: [1, 2, 3], rot: TURNED };
    const actions = demo().actions.map((action) => ({ ...action, ee_pose_target: pose }));
    const [episode] = await load(file("ee_v2.json", { franka: [{ ...demo(), actions }] }));
    const row = [1, 2, 3, ...TURNED];
    expect(episode?.referenceData?.trajectory?.ee_pose_target).toEqual([row, row]);
  });

  it.each([{}, { actions: null }])(
    "the RoboVerse reader reads initial states without actions as episodes, detected by content: %j",
    async (actions) => {
      const { init_state } = demo();
      const path = file("states_v2.json", { franka: [{ ...actions, init_state }] });
      expect((await detectFormat(path, createRegistries().formats)).name).toBe("roboverse");
      const [episode] = await load(path);
      expect(episode?.toDict()).toMatchObject({
        episode_id: "franka_0",
        start_state: {
          joint_positions: [0.04, 0],
          base_position: [0, 0, 0.5],
          objects: { cube: { position: [0.3, -0.2, 0.82] } },
        },
        reference_data: null,
        task_config: { robot_type: "franka", joint_names: ["finger", "joint1"], frames: 0 },
      });
    },
  );

  it("the RoboVerse reader reads recorded states without actions as a trajectory of joint positions", async () => {
    const { init_state, states } = demo();
    const path = file("recorded_v2.json", { franka: [{ init_state, states }] });
    const [episode] = await load(path);
    expect(episode?.toDict()).toMatchObject({
      reference_data: {
        trajectory: {
          qpos: [
            [0.04, 0.05],
            [0.03, 0.15],
          ],
        },
      },
      task_config: { frames: 2 },
    });
    expect(episode?.referenceData?.trajectory?.actions).toBeUndefined();
  });

  it("the RoboVerse reader detects trajectories whose actions follow a long initial state", async () => {
    const body = { pos: [0, 0, 0], rot: UPRIGHT };
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`cube_${i}`, body]));
    const { actions } = demo();
    const path = file("objects_v2.json", { franka: [{ init_state: many, actions }] });
    expect((await detectFormat(path, createRegistries().formats)).name).toBe("roboverse");
    expect((await load(path))[0]?.referenceData?.trajectory?.actions).toHaveLength(2);
  });

  it("the RoboVerse reader reads the trajectories of all robots, also beyond the sample", async () => {
    const actions = Array.from({ length: 5000 }, () => demo().actions[0]);
    const late = { ...demo(), init_state: {}, states: null };
    const path = file("two_v2.json", { franka: [{ ...demo(), actions }], iiwa: [late, late] });
    const ids = (await load(path)).map(({ episodeId }) => episodeId);
    expect(ids).toEqual(["franka_0", "iiwa_0", "iiwa_1"]);
  });
});

describe("invalid RoboVerse trajectories", () => {
  const other = { dof_pos_target: { joint1: 0, finger: 0, elbow: 0 } };
  const fewer = { dof_pos_target: { joint1: 0 } };
  const tilted = { cube: { pos: [0, 0, 0], rot: [1, 1, 1, 1] } };

  it.each<[string, object, string]>([
    ["another joint", { actions: [...demo().actions, other] }, 'actions[2]: the joint "elbow"'],
    ["a missing joint", { actions: [...demo().actions, fewer] }, 'the joint "finger" is missing'],
    ["an invalid rotation", { init_state: tilted }, "init_state.cube.rot"],
    ["an empty list of actions", { actions: [] }, "actions"],
    [
      "a joint that the initial state lacks",
      { actions: null, states: [{ franka: { ...robot(0, 0), dof_pos: { joint1: 0 } } }] },
      'states[0]: the joint "finger" is missing',
    ],
  ])(
    "the RoboVerse reader rejects trajectories with %s, with episode and field",
    async (_, change, message) => {
      const path = file("bad_v2.json", { franka: [demo(), { ...demo(), ...change }, demo()] });
      await expect(load(path)).rejects.toMatchObject({
        code: "bad_episode",
        message: expect.stringContaining(message),
        where: `${path}, franka[1]`,
      });
      const problems: DataError[] = [];
      expect(await load(path, { onBadEpisode: (one) => problems.push(one) })).toHaveLength(2);
      expect(problems[0]?.message).toContain("episode franka_1");
    },
  );

  it("the RoboVerse reader names the missing field of a file without actions and with an incomplete initial state", async () => {
    const path = file("part_v2.json", { franka: [{ init_state: { cube: { rot: UPRIGHT } } }] });
    const { formats } = createRegistries();
    const all = loadEpisodes({ path, formats });
    await expect(all.next()).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringContaining("init_state.cube.pos"),
    });
  });

  it("the RoboVerse reader rejects a pickle with a hint, whether the format is named or detected", async () => {
    const pickle = Buffer.from([0x80, 0x04, 0x95, 0x01, 0x2e]);
    for (const name of ["franka_v2.pkl", "franka_v2.pkl.gz"]) {
      const path = file(name, pickle);
      const format = await detectFormat(path, createRegistries().formats);
      expect(format.name).toBe("roboverse");
      await expect(load(path)).rejects.toMatchObject({
        code: "pickle_refused",
        hint: expect.stringContaining("json"),
      });
    }
  });

  it("the RoboVerse reader rejects trajectories with another layout", async () => {
    await expect(load(file("x_v2.json", { franka: 5 }))).rejects.toMatchObject({
      code: "bad_dataset",
    });
  });
});
