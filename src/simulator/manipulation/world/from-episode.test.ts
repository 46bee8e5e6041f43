import { describe, expect, it } from "vitest";
import { MANIP_001 } from "../../../../test/support/design-episodes.js";
import type { EpisodeInit } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import { PANDA } from "../../../robots/panda.js";
import { STRETCH } from "../../../robots/stretch.js";
import { STRETCH_RE1 } from "../../../robots/stretch-re1.js";
import { catalogueModel } from "../objects/catalogue/catalogue.js";
import { COLORS } from "../objects/colors.js";
import { worldOf } from "./from-episode.js";
import { overTable } from "./overlap.js";
import { OBJECT_SHAPES } from "./world.js";
import { episodeWith, stretchWorld } from "./world-lab.fixture.js";

/** The message of the DataError that an episode causes. */
function fault(
  taskConfig: Readonly<Record<string, unknown>>,
  init: Partial<EpisodeInit> = {},
  robot = STRETCH,
): string {
  try {
    worldOf(episodeWith(taskConfig, init), robot);
  } catch (error) {
    if (error instanceof DataError) return error.describe();
    throw error;
  }
  return "no fault";
}

const cup = { name: "cup_red", position: [0, -0.8] };

describe("the world of an episode", () => {
  it("the world of an episode has the table, objects, fixtures and joints of the episode", () => {
    const world = worldOf(
      episodeWith(
        {
          robot_config: { robot_type: "stretch" },
          table: { position: [0.1, -0.9, 0.7], size: [1, 0.5, 0.03], yaw: 0.2 },
          scene_objects: [
            {
              name: "thing",
              shape: "hexagon",
              size: [0.06, 0.05, 0.08],
              position: [0.1, -0.9, 0.75],
              yaw: Math.PI,
              mass: 0.4,
              friction: 0.8,
              color: [0.1, 0.2, 0.3],
            },
            { name: "block", position: [0.3, -0.9], color: "blue", rotation_wxyz: [1, 0, 0, 0] },
          ],
          fixtures: [
            {
              name: "cabinet",
              kind: "door",
              position: [2, 0, 0.6],
              yaw: 0.1,
              size: [0.3, 0.5, 0.6],
              range: 1.2,
              opened: 0.25,
              damping: 2,
              friction_loss: 0.1,
            },
          ],
          physics: { finger_friction: 0.02, gripper_force: 0.1 },
        },
        { startState: { base_pose: [0.1, 0, 0.2], joint_positions: [0, 0, 0, 0.5, 0, 0, 0.04] } },
      ),
      STRETCH,
    );
    expect(world.basePose).toEqual([0.1, 0, 0.2]);
    expect(world.joints).toEqual([0, 0, 0, 0.5, 0, 0, 0.04]);
    expect(world.table).toEqual({ position: [0.1, -0.9, 0.7], yawRad: 0.2, sizeM: [1, 0.5, 0.03] });
    expect(world.objects[0]).toMatchObject({
      shape: "hexagon",
      sizeM: [0.06, 0.05, 0.08],
      position: [0.1, -0.9, 0.75],
      massKg: 0.4,
      friction: 0.8,
      color: [0.1, 0.2, 0.3],
    });
    expect(world.objects[0]?.rotation_wxyz[3]).toBeCloseTo(1, 12);
    expect(world.objects[1]?.shape).toBe("box");
    expect(world.objects[1]?.position[2]).toBeCloseTo(0.74, 12);
    expect(world.fixtures).toEqual([
      {
        name: "cabinet",
        kind: "door",
        position: [2, 0, 0.6],
        yawRad: 0.1,
        sizeM: [0.3, 0.5, 0.6],
        range: 1.2,
        opened: 0.25,
        damping: 2,
        frictionLoss: 0.1,
      },
    ]);
    expect(world.physics).toEqual({
      massScale: 1,
      frictionScale: 1,
      fingerFriction: 0.02,
      gripperForceN: 0.1,
    });
  });

  it("the world of an episode has defaults for an episode that only names a cup and its target location", () => {
    const world = worldOf(MANIP_001, STRETCH);
    const [object] = world.objects;
    expect(object).toMatchObject({ name: "cup_red", shape: "cup" });
    expect(object?.color[0]).toBeGreaterThan(0.5);
    expect(world.table && overTable(world.table, [0.7, 0.2], 0.1)).toBe(true);
    expect(
      world.table &&
        object &&
        overTable(world.table, [object.position[0], object.position[1]], 0.05),
    ).toBe(true);
  });

  it("the world of an episode has a table within reach: beside Stretch, in front of an arm, relative to the base pose", () => {
    expect(stretchWorld({}).table?.position).toEqual([expect.closeTo(0, 9), -0.8, 0.75]);
    expect(worldOf(episodeWith({}), PANDA).table?.position).toEqual([0.6, 0, 0.75]);
    const turned = episodeWith({}, { startState: { base_pose: [1, 2, Math.PI / 2] } });
    const { table } = worldOf(turned, STRETCH);
    expect(table?.position[0]).toBeCloseTo(1.8, 9);
    expect(table?.position[1]).toBeCloseTo(2, 9);
    expect(stretchWorld({ table: null }).table).toBeUndefined();
  });

  it("the world of an episode has a default table as high as the goal needs, with the object on the robot side of the goal", () => {
    const bare = (position: number[], robot = STRETCH) => {
      const goals = { target_object: { name: "cup_red" }, target_location: { position } };
      return worldOf(episodeWith({}, { goals }), robot);
    };
    // A cup is 0.09 m high, so its centre is 0.045 m above the table.
    expect(bare([0.7, 0.2, 0.8]).table?.position[2]).toBe(0.75);
    const low = bare([0.7, 0.2, 0.4]);
    expect(low.table?.position[2]).toBeCloseTo(0.355, 12);
    expect(low.objects[0]?.position[2]).toBeCloseTo(0.4, 12);
    for (const side of [-1, 1]) {
      const { objects, table } = bare([0.55, 0.3 * side, 0.8], PANDA);
      expect(table?.position).toEqual([0.6, 0, 0.75]);
      expect(objects[0]?.position.slice(0, 2)).toEqual([0.55, expect.closeTo(0.1 * side, 9)]);
    }
  });

  it("the world of an episode keeps the edge of a default table away from the robot hand", () => {
    const goals = { target_object: { name: "cup" }, target_location: { position: [0.5, 0, 0.8] } };
    const { table } = worldOf(episodeWith({}, { goals }), STRETCH);
    expect(table?.position[0]).toBeCloseTo(0.72, 9);
    expect(table && overTable(table, [0.5, 0], 0.05)).toBe(true);
  });

  it("the world of an episode has no table in front of a cabinet unless an object needs it", () => {
    const fixtures = [{ name: "a", kind: "drawer", position: [0, -0.75, 0.6], yaw: -1.57 }];
    expect(stretchWorld({ fixtures }).table).toBeUndefined();
    expect(stretchWorld({ fixtures, scene_objects: [cup] }).table).toBeDefined();
  });

  it("the world of an episode starts in the robot home pose by default", () => {
    expect(stretchWorld({}).joints).toEqual(STRETCH.model?.home);
  });

  it("the world of an episode uses the robot of the task, also if the episode was made for another", () => {
    const episode = episodeWith({ robot_config: { robot_type: "stretch" } });
    expect(worldOf(episode, STRETCH_RE1).robot).toBe(STRETCH_RE1);
  });
});

describe("worldOf", () => {
  it("worldOf names the episode, the field and what is valid in every error", () => {
    expect(fault({ scene_objects: [{ ...cup, shape: "cupp" }] })).toBe(
      `episode e1, task_config.scene_objects.0.shape: did you mean "cup"? valid: ${OBJECT_SHAPES.join(", ")}, got "cupp"`,
    );
    expect(fault({ scene_objects: [{ ...cup, name: "zyx" }] })).toMatch(
      /scene_objects\.0\.shape: "zyx" has no shape.*\n.*valid: box, cylinder/,
    );
    expect(fault({ scene_objects: [{ ...cup, frction: 2 }] })).toMatch(
      /scene_objects\.0: .*frction/,
    );
    expect(fault({ scene_objects: [{ name: "cup" }] })).toMatch(/scene_objects\.0\.position/);
    expect(fault({ scene_objects: [{ ...cup, position: [1] }] })).toMatch(
      /scene_objects\.0\.position: expected \[x, y\] or \[x, y, z\], got \[1\]/,
    );
    expect(fault({ scene_objects: [{ ...cup, mass: -1 }] })).toMatch(/scene_objects\.0\.mass/);
    expect(fault({ scene_objects: [{ ...cup, color: "mauve" }] })).toMatch(/0\.color: .*red/);
    expect(fault({ scene_objects: [{ ...cup, yaw: 1, rotation_wxyz: [1, 0, 0, 0] }] })).toMatch(
      /give yaw or rotation_wxyz/,
    );
    expect(fault({ randomization: { level: 4 } })).toMatch(/randomization\.level/);
    expect(fault({ fixtures: [{ name: "a", kind: "lid", position: [1, 1, 1] }] })).toMatch(
      /fixtures\.0\.kind: .*drawer, door/,
    );
  });

  it("worldOf rejects sizes and ranges that do not fit the shape", () => {
    expect(fault({ scene_objects: [{ ...cup, size: [0.06, 0.05, 0.1] }] })).toMatch(/it is round/);
    const pill = { name: "pill", position: [0, -0.8], size: [0.1, 0.1, 0.08] };
    expect(fault({ scene_objects: [pill] })).toMatch(/its height must exceed its width/);
    const deep = { name: "a", kind: "drawer", position: [1, 1, 1], range: 0.5 };
    expect(fault({ fixtures: [deep] })).toMatch(/fixtures\.0\.range: a drawer 0.4 m deep opens by/);
    expect(fault({ fixtures: [{ ...deep, range: 0.2, position: [1, 1, 0.05] }] })).toMatch(/floor/);
    expect(fault({ fixtures: [{ ...deep, range: 0.2, size: [0.4, 0.4, 0.08] }] })).toMatch(
      /handle/,
    );
    expect(fault({ table: { position: [0, -0.8, 0.02] } })).toMatch(/table\.position: .*floor/);
  });

  it("worldOf rejects duplicate names and names of bodies of the robot", () => {
    const twice = [cup, { ...cup, position: [0.2, -0.8] }];
    expect(fault({ scene_objects: twice })).toMatch(
      /1\.name: the name "cup_red" is already used by/,
    );
    expect(fault({ scene_objects: [{ ...cup, name: "base_link", shape: "box" }] })).toMatch(
      /"base_link" is already used by the robot/,
    );
    expect(fault({ scene_objects: [{ ...cup, name: "table", shape: "box" }] })).toMatch(
      /the table/,
    );
  });

  it("worldOf rejects objects that overlap or are below the table", () => {
    const both = [cup, { ...cup, name: "cup_blue", position: [0.03, -0.8] }];
    expect(fault({ scene_objects: both })).toMatch(
      /scene_objects\.1\.position: "cup_blue" is 0\.03\d* m inside "cup_red"/,
    );
    expect(fault({ scene_objects: [{ ...cup, position: [0, -0.8, 0.7] }] })).toMatch(
      /lowest point of "cup_red" is at 0.655 m, below the table's top at 0.75 m\n.*use z = 0.795 m to stand it there/,
    );
    expect(fault({ scene_objects: [{ ...cup, position: [2, 2, 0.01] }] })).toMatch(/the floor/);
  });

  it("worldOf rejects a goal beyond the reach of the robot if table and object are the default ones", () => {
    const to = (position: number[]) => ({
      goals: { target_object: { name: "cup_red" }, target_location: { position } },
    });
    expect(fault({}, to([1.5, 0, 0.8]))).toBe(
      "episode e1, goals.target_location.position: the goal is 1.5 m from the robot's base at [0, 0, 0], but stretch works at 0.35 to 1.1 m\n" +
        "  hint: move the goal or start_state.base_pose, or give the table and the objects in task_config",
    );
    expect(fault({}, to([0.8, 0, 0.8]), PANDA)).toMatch(
      /0\.8 m from .* panda works at 0\.38 to 0\.73 m/,
    );
    expect(fault({}, to([0.6, 0, 1.3]))).toMatch(
      /a table below the goal would be 1\.2\d m high, but stretch works on tables of 0\.1 to 1 m/,
    );
    const given = {
      table: { position: [1.5, 0, 0.75] },
      scene_objects: [{ ...cup, position: [1.5, 0.2] }],
    };
    expect(fault(given, to([1.5, 0, 0.8]))).toBe("no fault");
  });

  it("worldOf rejects joint positions that do not fit the robot", () => {
    const joint_positions = [0, 0, 0, 0.5, 0, 0];
    expect(fault({}, { startState: { joint_positions } })).toMatch(
      /start_state\.joint_positions: stretch has 7 degrees of freedom, got 6 numbers\n.*base_x, base_y/,
    );
    expect(fault({}, { startState: { joint_positions: [0, 0, 0, 1.2, 0, 0, 0] } })).toMatch(
      /joint_positions\.3: lift of stretch must be between 0 and 1.1, got 1.2/,
    );
    const made = { robot_config: { robot_type: "stretch" } };
    const startState = { joint_positions: [...joint_positions, 0] };
    expect(fault(made, { startState }, PANDA)).toMatch(/made for the robot stretch/);
  });

  it("worldOf rejects goals with targets that do not exist", () => {
    const goals = { target_object: { name: "cup_rde" } };
    expect(fault({ scene_objects: [cup] }, { goals })).toMatch(
      /goals\.target_object\.name: "cup_rde" is not in the scene\n.*did you mean "cup_red"/,
    );
    const stack = { target_object: { name: "cup_red" }, target_location: { object: "plate" } };
    expect(fault({ scene_objects: [cup] }, { goals: stack })).toMatch(/target_location\.object/);
    expect(fault({ fixtures: [] }, { goals: { target_fixture: { name: "a" } } })).toMatch(
      /target_fixture/,
    );
  });
});

describe("an object that names a model of the catalogue", () => {
  const objectOf = (object: Readonly<Record<string, unknown>>) =>
    stretchWorld({ scene_objects: [{ name: "mine", position: [0, -0.8], ...object }] }).objects[0];

  it("an object that names a model of the catalogue has the size, mass, friction and colour of the model, and stands on the table", () => {
    const { shape, massKg, friction, rgb } = catalogueModel("mug/3");
    expect(objectOf({ model: "mug/3" })).toMatchObject({
      model: "mug/3",
      sizeM: shape.sizeM,
      massKg,
      friction,
      color: rgb,
      position: [0, -0.8, expect.closeTo(0.75 + shape.sizeM[2] / 2, 6)],
    });
    expect(objectOf({ model: "mug/3", color: "red" })?.color).toEqual(COLORS.red);
  });

  it("an object that names a model of the catalogue is larger or smaller only as a whole", () => {
    const size = catalogueModel("can/1").shape.sizeM.map((x) => 1.1 * x);
    expect(objectOf({ model: "can/1", size })?.sizeM).toEqual(size);
    expect(() => objectOf({ model: "can/1", size: [0.05, 0.05, 0.2] })).toThrow(
      /the can\/1 "mine": its proportions are fixed/,
    );
  });

  it("an object that names a model of the catalogue is refused if the catalogue lacks the model, or a shape is given too", () => {
    expect(() => objectOf({ model: "mug/33" })).toThrow(/mug\/3/);
    expect(() => objectOf({ model: "mug/3", shape: "cup" })).toThrow(
      "give shape or model, not both",
    );
  });
});
