import type { BaseEpisode } from "../../../core/episode/base.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";
import type { FactNeeds } from "../../../core/rules/needs.js";
import { dofOf, type RobotDescriptor } from "../../../robots/descriptor.js";
import type { MjcfModel } from "../mjcf/model.js";
import { COLORS, colorInName, shapeInName } from "../objects/guess.js";
import { SHAPES } from "../objects/object.js";
import { checkObjects, checkTable } from "./checks.js";
import { fixturesOf } from "./fixtures-of.js";
import { isInScene, namedObjects, nameIn, sceneObject } from "./from-scene.js";
import { defaultObjectPlace, defaultTable, TABLE_HEIGHT_M, TABLE_THICKNESS_M } from "./layout.js";
import { overTable, spaceOf } from "./overlap.js";
import { PLAIN_LOOK, PLAIN_PHYSICS, randomised } from "./randomisation.js";
import {
  badWorld,
  type ObjectConfig,
  readTaskConfig,
  type TableConfig,
  type WorldConfig,
} from "./task-config.js";
import {
  type FixtureSpec,
  type ManipulationWorld,
  OBJECT_SHAPES,
  type ObjectSpec,
  type PhysicsSpec,
  type TableSpec,
  type WorldDocuments,
} from "./world.js";
import { unit, yawQuat } from "./yaw.js";

type Point2 = readonly [x: number, y: number];

/**
 * The world of an episode, worked out from the episode alone, with the files that it names where it names some.
 * What it leaves open is filled in so that also a bare episode (a robot, the name of what to fetch, where to) can
 * be played; into a scene of the user's nothing is put that the episode does not ask for.
 *
 * @param needs of the success rule: bodies of the scene's file that it names are objects
 */
export function worldOf(
  episode: BaseEpisode,
  robot: RobotDescriptor,
  files: Omit<WorldDocuments, "robotInScene"> = {},
  needs?: FactNeeds,
): ManipulationWorld {
  const config = readTaskConfig(episode);
  const { scene } = files;
  const documents: WorldDocuments = {
    ...files,
    robotInScene: scene !== undefined && isInScene(episode, robot, scene),
  };
  const basePose = basePoseOf(episode, documents);
  const goal = goalPoint(episode);
  const wanted = nameIn(episode.goals.target_object);
  const fixtures = fixturesOf(episode, config, robot, basePose, scene, needs?.fixtures.keys());
  const needsTable =
    !scene && (config.scene_objects?.length || wanted !== undefined || fixtures.length === 0);
  const table =
    config.table || (config.table === undefined && needsTable)
      ? tableOf(config.table ?? {}, defaultTable(robot, basePose, goal))
      : undefined;
  if (table) checkTable(episode, table);
  const bare: ObjectConfig[] =
    wanted !== undefined && table && !scene
      ? [{ name: wanted, position: [...defaultObjectPlace(table, goal)] }]
      : [];
  const told = (config.scene_objects ?? bare).map((object, i) =>
    objectOf(episode, object, i, table, scene),
  );
  const others = [...namedObjects(episode), ...(needs?.objects.keys() ?? [])].filter(
    (name) => scene?.has("body", name) && !told.some((object) => object.name === name),
  );
  const objects = [
    ...told,
    ...(scene ? [...new Set(others)].map((name) => sceneObject(episode, scene, name)) : []),
  ];
  checkObjects(episode, objects, fixtures, robot, table, documents);
  checkTargets(episode, objects, fixtures);
  const world: ManipulationWorld = {
    robot,
    basePose,
    joints: jointsOf(episode, robot),
    table,
    objects,
    fixtures,
    look: PLAIN_LOOK,
    physics: physicsOf(config),
    ...(scene || files.robot ? { documents } : {}),
  };
  checkWeakened(episode, world);
  const { level = 0, physics = false, seed } = config.randomization ?? {};
  return randomised(world, { level, physics, seed: seed ?? episode.episodeId }, [
    ...objects.flatMap((object) => spaceOf(object).outline),
    ...(goal ? [goal] : []),
  ]);
}

/**
 * A sentence where the episode was made for another robot than the task's. The task's holds: the like of
 * Stretch RE1 can play what was made for Stretch, and what does not fit fails by its joints.
 */
export function robotMismatch(episode: BaseEpisode, robot: RobotDescriptor): string | undefined {
  const made = readTaskConfig(episode).robot_config?.robot_type;
  if (made === undefined || made === robot.robotType) return undefined;
  return `episode ${episode.episodeId} was made for the robot ${made}; the task's ${robot.robotType} plays it`;
}

/** A robot that stands in the scene's file cannot be put anywhere else. */
function basePoseOf(
  episode: BaseEpisode,
  { scene, robotInScene }: WorldDocuments,
): ManipulationWorld["basePose"] {
  const { base_pose } = episode.startState;
  if (base_pose && robotInScene) {
    throw badWorld(
      episode,
      "start_state.base_pose",
      `the robot stands where ${scene?.path} has it`,
      "leave out base_pose, or move the robot in the file",
    );
  }
  return base_pose ?? [0, 0, 0];
}

function jointsOf(episode: BaseEpisode, robot: RobotDescriptor): readonly number[] {
  const field = "start_state.joint_positions";
  const joints = episode.startState.joint_positions;
  if (!joints) {
    return robot.model?.home ?? robot.dofs.map(({ limits: [low, high] }) => clamp(0, low, high));
  }
  const mismatch = robotMismatch(episode, robot);
  if (joints.length !== dofOf(robot)) {
    throw badWorld(
      episode,
      field,
      `${robot.robotType} has ${dofOf(robot)} degrees of freedom, got ${joints.length} numbers`,
      mismatch ?? `in this order: ${robot.dofs.map(({ name }) => name).join(", ")}`,
    );
  }
  for (const [i, { name, limits }] of robot.dofs.entries()) {
    const value = joints[i] ?? 0;
    if (value < limits[0] - 1e-6 || value > limits[1] + 1e-6) {
      throw badWorld(
        episode,
        `${field}.${i}`,
        `${name} of ${robot.robotType} goes from ${limits[0]} to ${limits[1]}, got ${value}`,
        mismatch,
      );
    }
  }
  return joints;
}

function tableOf({ position, size, yaw }: TableConfig, fallback: TableSpec): TableSpec {
  const [length, width, thickness = TABLE_THICKNESS_M] = size ?? [];
  const [x, y, z = TABLE_HEIGHT_M] = position ?? [];
  return {
    position: x === undefined || y === undefined ? fallback.position : [x, y, z],
    // The default's turn faces the robot; a table with a size of its own lies along the axes.
    yawRad: yaw ?? (size ? 0 : fallback.yawRad),
    sizeM:
      length === undefined || width === undefined ? fallback.sizeM : [length, width, thickness],
  };
}

function objectOf(
  episode: BaseEpisode,
  object: ObjectConfig,
  index: number,
  table: TableSpec | undefined,
  scene: MjcfModel | undefined,
): ObjectSpec {
  const field = `task_config.scene_objects.${index}`;
  const name = object.name;
  if (scene?.has("body", name)) return sceneObject(episode, scene, name, { ...object, field });
  const shape = object.shape ?? shapeInName(name);
  if (!shape) {
    throw badWorld(
      episode,
      `${field}.shape`,
      `"${name}" has no shape, and its name tells none`,
      suggestion("", OBJECT_SHAPES),
    );
  }
  const kind = SHAPES[shape];
  const sizeM = object.size ?? kind.sizeM;
  const fault = kind.fault(sizeM);
  if (fault !== undefined) {
    throw badWorld(episode, `${field}.size`, `the ${shape} "${name}": ${fault}`);
  }
  const [x = 0, y = 0, z] = object.position;
  const { color } = object;
  const spec: ObjectSpec = {
    name,
    shape,
    sizeM,
    position: [x, y, z ?? 0],
    rotation_wxyz: object.rotation_wxyz ? unit(object.rotation_wxyz) : yawQuat(object.yaw ?? 0),
    massKg: object.mass ?? kind.massKg,
    friction: object.friction ?? 1,
    color: (typeof color === "string" ? COLORS[color] : color) ?? colorInName(name),
  };
  if (z !== undefined) return spec;
  const over = table && overTable(table, [x, y]);
  if (scene && !over) {
    throw badWorld(
      episode,
      `${field}.position`,
      `"${name}" has no height, and what is below it is for ${scene.path} to know`,
      "give [x, y, z] of its middle",
    );
  }
  const ground = over ? table.position[2] : 0;
  return { ...spec, position: [x, y, ground - spaceOf(spec).low] };
}

function physicsOf({ physics }: WorldConfig): PhysicsSpec {
  if (!physics) return PLAIN_PHYSICS;
  const { mass_scale, friction_scale, finger_friction, gripper_force } = physics;
  return {
    massScale: mass_scale ?? 1,
    frictionScale: friction_scale ?? 1,
    ...(finger_friction === undefined ? {} : { fingerFriction: finger_friction }),
    ...(gripper_force === undefined ? {} : { gripperForceN: gripper_force }),
  };
}

/** Fingers and gripper can be made worse where their elements are known here, and not in a file. */
function checkWeakened(
  episode: BaseEpisode,
  { physics, robot, documents }: ManipulationWorld,
): void {
  const { fingerFriction, gripperForceN } = physics;
  if (!documents?.robot && !documents?.robotInScene) return;
  const field =
    fingerFriction !== undefined
      ? "finger_friction"
      : gripperForceN !== undefined
        ? "gripper_force"
        : undefined;
  if (field === undefined) return;
  throw badWorld(
    episode,
    `task_config.physics.${field}`,
    `the body of ${robot.robotType} is read from a file, and what is in it stays`,
    "change it in the file",
  );
}

/** What the goals name must be there. */
function checkTargets(
  episode: BaseEpisode,
  objects: readonly ObjectSpec[],
  fixtures: readonly FixtureSpec[],
): void {
  const { target_object, target_location, target_fixture } = episode.goals;
  const onto = isRecord(target_location) ? target_location.object : undefined;
  for (const [field, name, things] of [
    ["target_object.name", nameIn(target_object), objects],
    ["target_location.object", onto, objects],
    ["target_fixture.name", nameIn(target_fixture), fixtures],
  ] as const) {
    if (typeof name !== "string" || things.some((thing) => thing.name === name)) continue;
    throw badWorld(
      episode,
      `goals.${field}`,
      `"${name}" is not in the scene`,
      suggestion(
        name,
        things.map((thing) => thing.name),
      ),
    );
  }
}

function goalPoint(episode: BaseEpisode): Point2 | undefined {
  const { target_location } = episode.goals;
  const position: unknown = isRecord(target_location) ? target_location.position : undefined;
  if (!Array.isArray(position)) return undefined;
  const [x, y]: unknown[] = position;
  return typeof x === "number" && typeof y === "number" ? [x, y] : undefined;
}

function clamp(x: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, x));
}
