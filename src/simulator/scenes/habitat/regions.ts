import { show } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { snakeCase } from "../category-of-name.js";
import type { DraftInstance } from "../draft.js";
import { boundsOf, isInside } from "../geometry.js";
import type { ScenePart, SceneRoom } from "../model.js";
import { type Attributes, badConfig, numberOf } from "./config-file.js";
import type { SceneDataset } from "./dataset.js";
import { simpleName } from "./dataset.js";

const SECTION = "semantic_scene_descriptor_instances";

/**
 * The rooms of a scene instance: `region_annotations` of the `*.semantic_config.json` that it or its data set
 * names. The outlines are in Habitat's axes.
 */
export async function readRegions(
  dataset: SceneDataset,
  scene: Attributes,
  sceneFile: string,
): Promise<{ rooms: SceneRoom[]; files: readonly string[] }> {
  const named = scene.semantic_scene_instance;
  if (typeof named !== "string" || named === "" || dataset.mapped(SECTION, named)) {
    return { rooms: [], files: [] };
  }
  const handle = named.replaceAll("%%CONFIG_NAME_AS_ASSET_FILENAME%%", simpleName(sceneFile));
  const found = await dataset.find(SECTION, handle);
  if (!found) return { rooms: [], files: [] };
  const list = found.attributes.region_annotations ?? [];
  if (!Array.isArray(list) || !list.every(isRecord)) {
    throw badConfig(found.file, `\`region_annotations\` must be a list; received ${show(list)}`);
  }
  return { rooms: list.map((region) => roomOf(region, found.file)), files: found.configs };
}

function roomOf(region: Attributes, file: string): SceneRoom {
  const { name, label } = region;
  if (typeof name !== "string" || name === "") {
    throw badConfig(file, `a region has no \`name\`: ${show(region)}`);
  }
  const loop: unknown[] = Array.isArray(region.poly_loop) ? region.poly_loop : [];
  const outline = loop.map((point): readonly [number, number] => {
    const [x, , z]: unknown[] = Array.isArray(point) ? point : [];
    if (typeof x === "number" && typeof z === "number") return [x, z];
    throw badConfig(file, `\`poly_loop\` of ${name} must be points; received ${show(point)}`);
  });
  const kind = snakeCase(typeof label === "string" && label !== "" ? label : "unknown");
  return { name, kind, outline, floorM: numberOf(region, "floor_height", file) ?? 0 };
}

/** Adds to each instance the room that its middle is in. */
export function instancesInRooms(
  instances: readonly DraftInstance[],
  parts: readonly ScenePart[],
  rooms: readonly SceneRoom[],
): readonly DraftInstance[] {
  if (rooms.length === 0) return instances;
  return instances.map((instance, i) => {
    const own = parts.filter((part) => part.instance === i);
    if (i === 0 || own.length === 0) return instance;
    const { min, max } = boundsOf(own);
    const [x, y, z] = [0, 1, 2].map((k) => ((min[k] ?? 0) + (max[k] ?? 0)) / 2);
    const room = rooms
      .filter(({ outline, floorM }) => (y ?? 0) >= floorM && isInside(outline, x ?? 0, z ?? 0))
      .sort((a, b) => b.floorM - a.floorM)[0];
    return room ? { ...instance, room: room.name } : instance;
  });
}
