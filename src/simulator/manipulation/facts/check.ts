import type { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";
import type { FactNeeds } from "../../../core/rules/needs.js";
import { placeIn } from "../../../core/rules/place-in.js";
import { isMjcfFile } from "../mjcf/file.js";
import { nameIn } from "../world/from-scene.js";
import type { ManipulationWorld } from "../world/world.js";

interface NamedElements {
  names(kind: "joint" | "camera"): readonly string[];
  jointRange(name: string): readonly [number, number] | undefined;
}

/** Throws where an episode's rules name an object, fixture, joint or camera that its world lacks. */
export function checkNeeds(
  { objects, fixtures, joints, seen, custom }: FactNeeds,
  physics: NamedElements,
  world: ManipulationWorld,
  episode: BaseEpisode,
): void {
  const known = (things: readonly { readonly name: string }[]) => things.map(({ name }) => name);
  const kinds = [
    ["object", objects.keys(), known(world.objects)],
    ["fixture", fixtures.keys(), known(world.fixtures)],
    ["joint", joints, physics.names("joint")],
    ["camera", seen.keys(), physics.names("camera")],
  ] as const;
  for (const [kind, asked, there] of kinds) {
    for (const name of asked) {
      if (there.includes(name)) continue;
      throw unknown(`"${name}" is no ${kind} of the episode's scene`, name, there, episode);
    }
  }
  for (const name of joints) {
    if (physics.jointRange(name)) continue;
    throw unknown(`the joint "${name}" has no range, so it is never on or off`, name, [], episode);
  }
  for (const key of custom) {
    throw unknown(`the mujoco simulator has no facts "${key}"`, key, [], episode);
  }
}

/** Those that the episode alone tells of: a scene's file may have more, and goals' targets are checked with the world. */
export function checkEpisodeNeeds(needs: FactNeeds, episode: BaseEpisode): void {
  if (isMjcfFile(episode.sceneId)) return;
  const { scene_objects, fixtures } = episode.taskConfig;
  const { target_object, target_location, target_fixture } = episode.goals;
  const onto = isRecord(target_location) ? target_location.object : undefined;
  for (const [kind, asked, told, targets] of [
    ["object", needs.objects, scene_objects, [nameIn(target_object), onto]],
    ["fixture", needs.fixtures, fixtures, [nameIn(target_fixture)]],
  ] as const) {
    const there = [...(Array.isArray(told) ? told.map(nameIn) : []), ...targets];
    const names = there.filter((name) => typeof name === "string");
    for (const name of asked.keys()) {
      if (names.includes(name)) continue;
      throw unknown(`"${name}" is no ${kind} of the episode's scene`, name, names, episode);
    }
  }
}

function unknown(
  message: string,
  name: string,
  there: readonly string[],
  { episodeId, goals }: BaseEpisode,
): DataError {
  const place = placeIn({ goals }, name) ?? "success_criteria";
  return new DataError("unknown_target", message, {
    where: `episode ${episodeId}, ${place}`,
    hint: there.length > 0 ? suggestion(name, there) : "the scene has none of this kind",
  });
}
