import type { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";
import type { FactNeeds } from "../../../core/rules/needs.js";
import { placeIn } from "../../../core/rules/place-in.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { isApartment } from "../../navigation/find-scene.js";
import { isMjcfFile } from "../mjcf/file.js";
import type { Physics } from "../physics/physics.js";
import { goalNames, nameIn } from "../world/from-scene.js";
import type { ManipulationWorld } from "../world/world.js";
import { isFixedThing } from "./fixed-thing.js";

/** @throws DataError if a rule names an object, fixture, joint or camera that the episode's world lacks */
export function checkNeeds(
  { objects, fixtures, joints, seen, views, custom }: FactNeeds,
  physics: Pick<Physics, "names" | "jointRange" | "has" | "isFixed">,
  world: ManipulationWorld,
  episode: BaseEpisode,
): void {
  checkGripper({ objects, fixtures }, world.robot, episode);
  const namesOf = (specs: readonly { readonly name: string }[]) => specs.map(({ name }) => name);
  const kinds = [
    ["object", objects.keys(), namesOf(world.objects)],
    ["fixture", fixtures.keys(), namesOf(world.fixtures)],
    ["joint", joints, physics.names("joint")],
    ["camera", [...seen.keys(), ...views.keys()], physics.names("camera")],
  ] as const;
  for (const [kind, needed, known] of kinds) {
    for (const name of needed) {
      if (known.includes(name)) continue;
      if (kind === "object" && isFixedThing(physics, name)) continue;
      throw unknown(`the episode's scene has no ${kind} "${name}"`, name, known, episode);
    }
  }
  for (const name of joints) {
    if (physics.jointRange(name)) continue;
    throw unknown(
      `the joint "${name}" has no range, so a rule cannot test whether it is on or off`,
      name,
      [],
      episode,
    );
  }
  for (const key of custom) {
    throw unknown(`the mujoco simulator does not record the fact "${key}"`, key, [], episode);
  }
}

/** The body of a generated world's table. */
const TABLE = "table";

/**
 * The same check before the world exists. Scenes from files and apartments are skipped, because only they have the names
 * of their things.
 */
export function checkEpisodeNeeds(
  needs: FactNeeds,
  episode: BaseEpisode,
  robot: RobotDescriptor | undefined,
): void {
  if (robot) checkGripper(needs, robot, episode);
  if (isMjcfFile(episode.sceneId) || isApartment(episode.sceneId)) return;
  const { scene_objects, fixtures } = episode.taskConfig;
  const { object, onto, fixture } = goalNames(episode);
  for (const [kind, needed, configured, targets] of [
    ["object", needs.objects, scene_objects, [object, onto, TABLE]],
    ["fixture", needs.fixtures, fixtures, [fixture]],
  ] as const) {
    const known = [...(Array.isArray(configured) ? configured.map(nameIn) : []), ...targets];
    const names = [...new Set(known.filter((name) => name !== undefined))];
    for (const name of needed.keys()) {
      if (names.includes(name)) continue;
      throw unknown(`the episode's scene has no ${kind} "${name}"`, name, names, episode);
    }
  }
}

/** Rejects rules about the fingers of a robot that has none: they would never hold, whatever the policy does. */
function checkGripper(
  { objects, fixtures }: Pick<FactNeeds, "objects" | "fixtures">,
  { robotType, gripperDof }: RobotDescriptor,
  { episodeId }: BaseEpisode,
): void {
  if (gripperDof !== undefined) return;
  const [name] = [
    ...[...objects].filter(
      ([, aspects]) => aspects.has("fingers") || aspects.has("finger_contact"),
    ),
    ...[...fixtures].filter(([, aspects]) => aspects.has("fingers")),
  ].map(([one]) => one);
  if (name === undefined) return;
  throw new DataError(
    "no_gripper",
    `the success rule tests whether the robot grasps or releases "${name}", but ${robotType} has no gripper`,
    {
      where: `episode ${episodeId}`,
      hint: "use a rule without `grasped`, `finger_contact`, `released`, `pulled` and a held `lifted`, such as `reached` or `near`, or a robot with a gripper",
    },
  );
}

function unknown(
  message: string,
  name: string,
  known: readonly string[],
  { episodeId, goals }: BaseEpisode,
): DataError {
  const place = placeIn({ goals }, name) ?? "success_criteria";
  return new DataError("unknown_target", message, {
    where: `episode ${episodeId}, ${place}`,
    hint: known.length > 0 ? suggestion(name, known) : "the scene has none",
  });
}
