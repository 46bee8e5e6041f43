import type { BaseEpisode } from "../../../core/episode/base.js";
import { suggestion } from "../../../core/registry.js";
import type { FactNeeds } from "../../../core/rules/needs.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { ApartmentWorld } from "../apartment/apartment-world.js";
import { checkApartmentEpisode, checkInRooms } from "../apartment/checks.js";
import { checkReachable } from "../apartment/reachable.js";
import { supportHeightM } from "../apartment/support.js";
import type { MjcfModel } from "../mjcf/model.js";
import { catalogueModel } from "../objects/catalogue/catalogue.js";
import { COLORS } from "../objects/colors.js";
import { colorInName, shapeInName } from "../objects/guess.js";
import { SHAPES, shapeOf } from "../objects/object.js";
import { checkObjects, checkTable } from "./checks.js";
import { fixturesOf } from "./fixtures-of.js";
import { goalNames, isInScene, sceneObject } from "./from-scene.js";
import { jointsOf } from "./joints-of.js";
import { defaultObjectPlace } from "./layout.js";
import { footprintOf, overTable } from "./overlap.js";
import { PLAIN_LOOK, PLAIN_PHYSICS, randomised } from "./randomisation.js";
import { tableOf, targetLocationOf } from "./table-of.js";
import {
  episodeError,
  type ObjectConfig,
  readTaskConfig,
  type WorldConfig,
} from "./task-config.js";
import {
  type FixtureSpec,
  isBuiltIn,
  type ManipulationWorld,
  OBJECT_SHAPES,
  type ObjectSpec,
  type PhysicsSpec,
  type TableSpec,
  type WorldDocuments,
} from "./world.js";
import { unit, yawQuat } from "./yaw.js";

/** What an episode is placed in, if not in a generated tabletop scene. */
export interface WorldSurroundings extends Omit<WorldDocuments, "robotInScene"> {
  readonly apartment?: ApartmentWorld | undefined;
}

/**
 * The world of an episode, computed from the episode and the files that it names. Defaults complete a minimal episode
 * (robot, target object, target location); nothing that the episode does not ask for is added to a user's scene.
 *
 * @param needs facts of the success rule; bodies of the scene file that it names become objects
 */
export function worldOf(
  episode: BaseEpisode,
  robot: RobotDescriptor,
  { apartment, ...files }: WorldSurroundings = {},
  needs?: FactNeeds,
): ManipulationWorld {
  const config = readTaskConfig(episode);
  const { scene } = files;
  if (apartment) checkApartmentEpisode(episode, config, apartment);
  const documents: WorldDocuments = {
    ...files,
    robotInScene: scene !== undefined && isInScene(episode, robot, scene),
  };
  const basePose = basePoseOf(episode, documents);
  const goal = targetLocationOf(episode);
  const targets = goalNames(episode);
  const drawers = apartment?.drawers ?? [];
  if (config.drawers && !apartment) throw noDrawers(episode, robot);
  const fixtures = [
    ...fixturesOf(episode, config, robot, basePose, { scene, drawers }, needs?.fixtures.keys()),
    ...drawers,
  ];
  const needsTable =
    config.scene_objects?.length || targets.object !== undefined || fixtures.length === 0;
  const table =
    config.table || (config.table === undefined && !scene && !apartment && needsTable)
      ? tableOf(episode, config, robot, basePose, { goal, object: targets.object })
      : undefined;
  if (table) checkTable(episode, table);
  const bare: ObjectConfig[] =
    targets.object !== undefined && table && !scene
      ? [{ name: targets.object, position: [...defaultObjectPlace(table, basePose, goal?.at)] }]
      : [];
  const configured = (config.scene_objects ?? bare).map((object, i) =>
    objectOf(episode, object, i, { table, scene, apartment }),
  );
  const others = [targets.object, targets.onto, ...(needs?.objects.keys() ?? [])]
    .filter((name) => name !== undefined)
    .filter(
      (name) => scene?.has("body", name) && !configured.some((object) => object.name === name),
    );
  const objects = [
    ...configured,
    ...(scene ? [...new Set(others)].map((name) => sceneObject(episode, scene, name)) : []),
  ];
  const place = { table, documents, apartment };
  checkObjects(episode, objects, fixtures, robot, place);
  checkTargets(episode, objects, fixtures);
  if (apartment) {
    checkInRooms(episode, objects, apartment);
    checkReachable(episode, { objects, basePose }, apartment);
  }
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
    ...(apartment ? { apartment } : {}),
  };
  checkPhysics(episode, world);
  const { level = 0, physics = false, seed, axes } = config.randomization ?? {};
  checkAxes(episode, world, axes);
  return randomised(world, { level, physics, seed: seed ?? episode.episodeId, axes }, goal?.at);
}

/** Rejects axes without effect, which would look like a policy that tolerates them. */
function checkAxes(
  episode: BaseEpisode,
  { table, objects, fixtures, documents, apartment }: ManipulationWorld,
  axes: Readonly<Record<string, unknown>> = {},
): void {
  const own = objects.filter(({ centreInBody }) => !centreInBody);
  const lacks: Readonly<Record<string, string | false>> = {
    distractors: !table && "there is no table to put distractors on",
    object_size: own.length === 0 && "there is no object to resize",
    object_mass: own.length === 0 && "there is no object whose mass can be changed",
    friction: own.length === 0 && "there is no object whose friction can be changed",
    object_pose: own.length === 0 && fixtures.every(isBuiltIn) && "there is no object to move",
    table_yaw: apartment !== undefined && "there is no table to turn in an apartment",
    textures:
      documents?.scene !== undefined && "the colours of table, floor and walls are the file's",
  };
  for (const axis of Object.keys(axes)) {
    const problem = lacks[axis];
    if (problem) throw episodeError(episode, `task_config.randomization.axes.${axis}`, problem);
  }
}

function noDrawers(episode: BaseEpisode, { robotType }: RobotDescriptor) {
  return episodeError(
    episode,
    "task_config.drawers",
    `the scene "${episode.sceneId}" of a ${robotType} has no furniture with drawers`,
    'use a robot that drives, such as stretch_mobile, and a scene_id such as "apartment/101"',
  );
}

/** A robot in the scene file cannot be moved. */
function basePoseOf(
  episode: BaseEpisode,
  { scene, robotInScene }: WorldDocuments,
): ManipulationWorld["basePose"] {
  const { base_pose } = episode.startState;
  if (base_pose && robotInScene) {
    throw episodeError(
      episode,
      "start_state.base_pose",
      `the robot is part of ${scene?.path}, so its base cannot be moved`,
      "omit base_pose, or move the robot in the file",
    );
  }
  return base_pose ?? [0, 0, 0];
}

function objectOf(
  episode: BaseEpisode,
  object: ObjectConfig,
  index: number,
  { table, scene, apartment }: Surroundings,
): ObjectSpec {
  const field = `task_config.scene_objects.${index}`;
  const name = object.name;
  if (scene?.has("body", name)) return sceneObject(episode, scene, name, { ...object, field });
  const kind = kindOf(episode, object, field);
  const sizeM = object.size ?? kind.sizeM;
  const fault = shapeOf(kind).fault(sizeM);
  if (fault !== undefined) {
    const what = kind.model ?? kind.shape;
    throw episodeError(episode, `${field}.size`, `the ${what} "${name}": ${fault}`);
  }
  const [x = 0, y = 0, z] = object.position;
  const { color } = object;
  const spec: ObjectSpec = {
    name,
    shape: kind.shape,
    ...(kind.model === undefined ? {} : { model: kind.model }),
    sizeM,
    position: [x, y, z ?? 0],
    rotation_wxyz: object.rotation_wxyz ? unit(object.rotation_wxyz) : yawQuat(object.yaw ?? 0),
    massKg: object.mass ?? kind.massKg,
    friction: object.friction ?? kind.friction,
    color: (typeof color === "string" ? COLORS[color] : color) ?? kind.color ?? colorInName(name),
  };
  if (z !== undefined) return spec;
  const over = table && overTable(table, [x, y]);
  if (scene && !over) {
    throw episodeError(
      episode,
      `${field}.position`,
      `the position of "${name}" has no z, and the height of the ground in ${scene.path} is unknown`,
      "give [x, y, z] of its centre",
    );
  }
  const ground = over ? table.position[2] : apartment ? supportHeightM(apartment.model, [x, y]) : 0;
  return { ...spec, position: [x, y, ground - footprintOf(spec).low] };
}

/** What objects may stand on. */
interface Surroundings {
  readonly table: TableSpec | undefined;
  readonly scene: MjcfModel | undefined;
  readonly apartment: ApartmentWorld | undefined;
}

type Kind = Pick<ObjectSpec, "shape" | "model" | "sizeM" | "massKg" | "friction"> &
  Partial<Pick<ObjectSpec, "color">>;

/** The shape and defaults of an object, determined by its model, its shape or its name. */
function kindOf(episode: BaseEpisode, { name, shape, model }: ObjectConfig, field: string): Kind {
  if (model !== undefined) {
    const { like, shape: own, massKg, friction, rgb } = catalogueModel(model);
    return { shape: like, model, sizeM: own.sizeM, massKg, friction, color: rgb };
  }
  const known = shape ?? shapeInName(name);
  if (known) return { ...SHAPES[known], shape: known, friction: 1 };
  throw episodeError(
    episode,
    `${field}.shape`,
    `"${name}" has no shape, and none can be derived from its name`,
    suggestion("", OBJECT_SHAPES),
  );
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

/** Finger friction and gripper force can only be changed for robots whose model is not a file. */
function checkPhysics(
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
  throw episodeError(
    episode,
    `task_config.physics.${field}`,
    `the model of ${robot.robotType} is a file, whose ${field} cannot be overridden`,
    "change it in the file",
  );
}

/** Checks that the targets of the goals exist. */
function checkTargets(
  episode: BaseEpisode,
  objects: readonly ObjectSpec[],
  fixtures: readonly FixtureSpec[],
): void {
  const targets = goalNames(episode);
  for (const [field, name, specs] of [
    ["target_object.name", targets.object, objects],
    ["target_location.object", targets.onto, objects],
    ["target_fixture.name", targets.fixture, fixtures],
  ] as const) {
    const known = specs.map((spec) => spec.name);
    if (name === undefined || known.includes(name)) continue;
    const problem = `"${name}" is not in the scene`;
    throw episodeError(episode, `goals.${field}`, problem, suggestion(name, known));
  }
}
