import { DataError } from "../../core/errors.js";
import type { SceneSource } from "../../core/scene/source.js";

const APARTMENT = "apartment/";

/** @throws DataError if a scene cannot be generated, or if its file does not exist */
export async function findScene(sceneId: string, source: SceneSource | undefined): Promise<void> {
  if (isApartment(sceneId)) apartmentSeed(sceneId);
  else await locateScene(sceneId, source);
}

export async function locateScene(
  sceneId: string,
  source: SceneSource | undefined,
): Promise<string> {
  if (source) return source.locate(sceneId);
  throw new DataError(
    "missing_scene",
    `no scene folder is configured, so the scene ${sceneId} cannot be found`,
    {
      where: sceneId,
      hint: "set simulator.scenes or dataset.<x>.scenes in the benchmark, or use apartment/<seed>, which needs no files",
    },
  );
}

export function isApartment(sceneId: string): boolean {
  return sceneId.startsWith(APARTMENT) && !/\.[a-z]\w*$/i.test(sceneId);
}

export function apartmentSeed(sceneId: string): number {
  const text = sceneId.slice(APARTMENT.length);
  const seed = Number(text);
  if (/^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new DataError("bad_scene_id", `"${sceneId}" does not name a generated apartment`, {
    where: sceneId,
    hint: `the seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, as in apartment/7`,
  });
}
