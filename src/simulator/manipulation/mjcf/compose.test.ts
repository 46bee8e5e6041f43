import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../core/errors.js";
import { mjcf } from "../../../core/mjcf/element.js";
import { BUILT_IN_ROBOTS } from "../../../robots/catalog.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { STRETCH } from "../../../robots/stretch.js";
import { SHAPES } from "../objects/object.js";
import { worldOf } from "../world/from-episode.js";
import { OBJECT_SHAPES, type ObjectShape } from "../world/world.js";
import { episodeWith, stretchWorld, WorldLab } from "../world/world-lab.fixture.js";
import { worldMjcf } from "./compose.js";

const everything = {
  scene_objects: OBJECT_SHAPES.map((shape, i) => ({
    name: shape,
    shape,
    position: [-0.4 + 0.16 * i, -0.8],
  })),
  fixtures: [
    { name: "drawer", kind: "drawer", position: [1.5, -0.8, 0.6] },
    { name: "door", kind: "door", position: [1.5, 0.8, 0.6] },
  ],
};

describe("a composed world", () => {
  it("a composed world has the same text for the same episode", () => {
    const text = worldMjcf(stretchWorld(everything));
    expect(worldMjcf(stretchWorld(everything))).toBe(text);
    expect(text).toContain('integrator="implicitfast" cone="elliptic" impratio="100"');
    expect(text).toContain('<flag sleep="enable"/>');
    expect(text).not.toMatch(/<(weld|connect) /);
    const other = worldMjcf(stretchWorld(everything), { sleep: false, timestepS: 0.004 });
    expect(other).toContain('timestep="0.004"');
    expect(other).toContain('<flag sleep="disable"/>');
  });

  it.each(BUILT_IN_ROBOTS.filter(({ model }) => model))(
    "a composed world compiles with $robotType at every level of randomisation, without contacts other than of standing objects",
    async (robot) => {
      for (const level of [0, 1, 2, 3]) {
        const randomization = { level, physics: true, seed: 7 };
        const world = worldOf(
          episodeWith({ randomization }, { goals: { target_object: { name: "cup_red" } } }),
          robot,
        );
        const lab = await WorldLab.of(world, { sleep: false });
        lab.run(0.1);
        const touching = new Set<string>();
        for (let i = 0; i < lab.data.ncon; i++) {
          const contact = lab.data.contact.get(i);
          for (const geom of [contact?.geom1 ?? 0, contact?.geom2 ?? 0]) {
            const body = lab.model.geom_bodyid[geom];
            touching.add(
              lab.mujoco.mj_id2name(lab.model, lab.mujoco.mjtObj.mjOBJ_BODY.value, body),
            );
          }
        }
        expect([...touching].sort()).toEqual(["cup_red", "table"]);
        expect(lab.position("cup_red")[2]).toBeCloseTo(world.objects[0]?.position[2] ?? 0, 2);
        lab.close();
      }
    },
  );

  it("a composed world has enough memory for the contacts of a crowded table", async () => {
    const crowd = Array.from({ length: 24 }, (_, i) => ({
      name: `cup_${i}`,
      position: [-0.5 + 0.09 * (i % 12), -0.75 - 0.09 * Math.floor(i / 12)],
    }));
    const lab = await WorldLab.of(stretchWorld({ scene_objects: crowd }), { sleep: false });
    lab.run(0.04);
    expect(lab.data.ncon).toBeGreaterThan(80);
    expect(lab.data.maxuse_arena).toBeLessThan(0.5 * lab.data.narena);
    lab.close();
  });

  it("a composed world places the robot at its base pose, to which its base joints are relative", async () => {
    const at = async (base_pose: readonly [number, number, number], x = 0) => {
      const joint_positions = [x, ...(STRETCH.model?.home ?? []).slice(1)];
      const episode = episodeWith({ table: null }, { startState: { base_pose, joint_positions } });
      const lab = await WorldLab.of(worldOf(episode, STRETCH));
      const hand = lab.site("grasp_center").position;
      lab.close();
      return hand;
    };
    const plain = await at([0, 0, 0]);
    const turned = await at([1, 2, Math.PI / 2]);
    expect(turned[0]).toBeCloseTo(1 - plain[1], 9);
    expect(turned[1]).toBeCloseTo(2 + plain[0], 9);
    expect(turned[2]).toBeCloseTo(plain[2], 9);
    const ahead = await at([1, 2, Math.PI / 2], 0.25);
    expect(ahead[1] - turned[1]).toBeCloseTo(0.25, 9);
  });

  it("a composed world rejects a robot without a model, and one whose root is not rotated with quat", () => {
    const world = stretchWorld({});
    const { model, ...bodiless } = STRETCH;
    expect(() => worldMjcf({ ...world, robot: bodiless })).toThrow(ConfigError);
    if (!model) return;
    const tilted: RobotDescriptor = {
      ...STRETCH,
      model: { ...model, mjcf: { worldbody: [mjcf("body", { name: "a", euler: [0, 0, 1] })] } },
    };
    expect(() => worldMjcf({ ...world, robot: tilted })).toThrow("rotated with euler");
  });
});

/** Stretch closes its gripper on an object between its fingers and lifts it by 10 cm. */
async function lifted(
  shape: ObjectShape,
  yaw: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly riseM: number; readonly slipM: number }> {
  const probe = await WorldLab.of(stretchWorld({ table: null }));
  const [x, y, z] = probe.site("grasp_center").position;
  probe.close();
  const lab = await WorldLab.of(
    stretchWorld({
      table: { position: [x, y - 0.25, z - SHAPES[shape].sizeM[2] / 2], size: [1.2, 0.6] },
      scene_objects: [{ name: "thing", shape, position: [x, y], yaw }],
      ...more,
    }),
  );
  lab.run(0.1);
  lab.data.ctrl[lab.id("ACTUATOR", "joint_gripper")] = 0;
  lab.run(0.6);
  const start = lab.position("thing");
  lab.data.ctrl[lab.id("ACTUATOR", "joint_lift")] += 0.1;
  lab.run(1.5);
  const up = lab.position("thing");
  const hand = lab.site("grasp_center").position;
  lab.run(1);
  const held = lab.position("thing");
  const now = lab.site("grasp_center").position;
  lab.close();
  const slip = ([0, 1, 2] as const).map((k) => held[k] - now[k] - (up[k] - hand[k]));
  return { riseM: up[2] - start[2], slipM: Math.hypot(...slip) };
}

describe("a grasp by friction alone", () => {
  it.each(OBJECT_SHAPES)(
    "a grasp by friction alone holds and lifts a %s at several yaws",
    async (shape) => {
      for (const yaw of [0.3, 2.2]) {
        const { riseM, slipM } = await lifted(shape, yaw);
        expect(riseM).toBeGreaterThan(0.095);
        expect(slipM).toBeLessThan(1e-3);
      }
    },
  );

  it.each([
    ["slippery fingers", { physics: { finger_friction: 0.02 } }],
    ["a weak gripper", { physics: { gripper_force: 0.1 } }],
    ["slippery objects", { physics: { friction_scale: 0.02 } }],
  ])("a grasp by friction alone fails with %s", async (_, more) => {
    expect((await lifted("cylinder", 0, more)).riseM).toBeLessThan(0.02);
  });
});
