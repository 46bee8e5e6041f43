import type { BaseEpisode } from "../../../core/episode/base.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { fixtureNames } from "../fixtures/names.js";
import type { MjcfModel } from "../mjcf/model.js";
import { objectPose } from "./object-pose.js";
import { episodeError, type ObjectConfig } from "./task-config.js";
import type { FixtureSpec, ObjectSpec } from "./world.js";
import { unit, yawQuat } from "./yaw.js";

/** Object keys that cannot be set for a body of the scene file. */
const FILE_KEYS = ["shape", "size", "mass", "friction", "color"] as const;

/** Whether the scene file contains the robot: all of its joints and actuators, or none. */
export function isInScene(
  episode: BaseEpisode,
  { robotType, dofs, model }: RobotDescriptor,
  scene: MjcfModel,
): boolean {
  const wanted = [
    ...dofs.flatMap(({ joints }) => joints.map((name) => ["joint", name] as const)),
    ...(model?.actuators ?? []).map((name) => ["actuator", name] as const),
  ];
  const missing = wanted.filter(([kind, name]) => !scene.has(kind, name));
  if (missing.length === 0) return true;
  if (missing.length === wanted.length && model?.mjcf) return false;
  const [kind, name] = missing[0] ?? ["joint", ""];
  const all = missing.map(([, one]) => `"${one}"`).join(", ");
  throw episodeError(
    episode,
    "scene_id",
    `${scene.path} lacks ${missing.length} of the ${wanted.length} joints and actuators of the robot ${robotType}: ${all}`,
    model?.mjcf
      ? `the file must contain the whole robot or nothing of it; ${kind} ${suggestion(name, scene.names(kind))}`
      : `${robotType} has no model of its own, so the file must contain it; ${kind} ${suggestion(name, scene.names(kind))}`,
  );
}

/** A body of the scene file as an object; `config` may move it. */
export function sceneObject(
  episode: BaseEpisode,
  scene: MjcfModel,
  name: string,
  config?: ObjectConfig & { readonly field: string },
): ObjectSpec {
  const body = scene.body(name);
  const { bounds } = body;
  const field = config?.field ?? "goals";
  if (!bounds)
    throw episodeError(episode, field, `the body "${name}" of ${scene.path} has no geoms`);
  const current = objectPose({ body: () => body.pose }, { name, centreInBody: bounds.centreM });
  const spec: ObjectSpec = {
    name,
    shape: bounds.shape,
    sizeM: bounds.sizeM,
    centreInBody: bounds.centreM,
    ...current,
    massKg: body.massKg,
    friction: body.friction,
    color: [0.5, 0.5, 0.5],
  };
  if (!config) return spec;
  const own = FILE_KEYS.find((key) => config[key] !== undefined);
  if (own !== undefined) {
    throw episodeError(
      episode,
      `${config.field}.${own}`,
      `"${name}" is a body of ${scene.path}, which defines its ${own}`,
      "an episode can only set its position, yaw and rotation_wxyz",
    );
  }
  if (!body.isFree) {
    throw episodeError(
      episode,
      `${config.field}.position`,
      `the body "${name}" of ${scene.path} has no free joint, so it cannot be moved`,
      "leave it out of scene_objects, or give it a free joint",
    );
  }
  const [x = 0, y = 0, z = current.position[2]] = config.position;
  const { yaw, rotation_wxyz } = config;
  return {
    ...spec,
    position: [x, y, z],
    rotation_wxyz:
      yaw !== undefined
        ? yawQuat(yaw)
        : rotation_wxyz
          ? unit(rotation_wxyz)
          : current.rotation_wxyz,
    isMoved: true,
  };
}

/** Names in the goals: the object to handle, the object to put it on, the fixture to open. */
export function goalNames({
  goals: { target_object, target_location, target_fixture },
}: BaseEpisode) {
  const onto = isRecord(target_location) ? target_location.object : undefined;
  return {
    object: nameIn(target_object),
    onto: typeof onto === "string" ? onto : undefined,
    fixture: nameIn(target_fixture),
  };
}

/** The `name` of a goal or of a configured object. */
export function nameIn(target: unknown): string | undefined {
  return isRecord(target) && typeof target.name === "string" ? target.name : undefined;
}

/**
 * A fixture of the scene file, found by names: a joint `<name>_joint` that opens from 0, a site `<name>_handle` and
 * the moving body `<name>_panel`. Undefined if there is no such joint.
 */
export function sceneFixture(
  episode: BaseEpisode,
  scene: MjcfModel,
  name: string,
): FixtureSpec | undefined {
  const { joint, handle, moving } = fixtureNames(name);
  if (!scene.has("joint", joint)) return undefined;
  const field = "goals.target_fixture.name";
  for (const [kind, part] of [
    ["site", handle],
    ["body", moving],
  ] as const) {
    if (scene.has(kind, part)) continue;
    throw episodeError(
      episode,
      field,
      `${scene.path} has the joint "${joint}" of a fixture, but not its ${kind} "${part}"`,
      suggestion(part, scene.names(kind)),
    );
  }
  const { type, range } = scene.joint(joint);
  if ((type !== "slide" && type !== "hinge") || !range || range[1] <= 0) {
    throw episodeError(
      episode,
      field,
      `the joint "${joint}" of ${scene.path} cannot open a fixture`,
      "make it a slide or hinge joint with a range from 0 (closed) to a positive value (open)",
    );
  }
  const { pose, bounds } = scene.body(moving);
  return {
    name,
    kind: type === "slide" ? "drawer" : "door",
    position: pose.position,
    yawRad: 0,
    sizeM: bounds?.sizeM ?? [0, 0, 0],
    range: range[1],
    opened: 0,
    damping: 0,
    frictionLoss: 0,
    inScene: true,
  };
}
