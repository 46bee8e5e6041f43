import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { ConfigError, DataError, errorCode } from "../core/errors.js";
import { Random } from "../core/math/random.js";
import type { SceneSource } from "../core/scene/source.js";
import { normaliseSceneId } from "../dataset/scenes.js";

/** The scenes in which episodes are generated. */
export type SceneSet = ListedScenes | DrawnScenes;

/** Given scenes, all of which are used. */
interface ListedScenes {
  readonly kind: "listed";
  readonly ids: readonly string[];
  readonly source?: SceneSource | undefined;
}

/** Randomly drawn scenes: an endless sequence without duplicates. */
export interface DrawnScenes {
  readonly kind: "drawn";
  ids(seed: number): Iterable<string>;
}

const APARTMENT = "apartment";
const SCENE_FILE = /\.(glb|gltf|obj)$/i;
const SCENE_INSTANCE = /\.scene_instance\.json$/i;
/** Numbers of drawn apartments, outside of 0 to 199, which the shipped splits use. */
const DRAWN = { from: 10_000, count: 990_000 } as const;

/** Apartments with random numbers, determined by the seed. */
export const drawnApartments: DrawnScenes = {
  kind: "drawn",
  *ids(seed) {
    const random = new Random(seed);
    const seen = new Set<number>();
    for (;;) {
      const number = DRAWN.from + random.below(DRAWN.count);
      if (!seen.has(number)) yield `${APARTMENT}/${number}`;
      seen.add(number);
    }
  },
};

/**
 * Parses a scene list: `apartment` for new ones, `apartment/3`, `apartment/100-119`, files and folders of glTF and OBJ,
 * and Habitat's scene instances, separated by commas.
 *
 * @example
 * const scenes = await findScenes("apartment/100-119");
 * await generateEpisodes({ task: "objectnav", scenes, seed: 1, count: 100 });
 */
export async function findScenes(spec: string): Promise<SceneSet> {
  const names = spec.split(",").map((name) => name.trim());
  if (names.length === 1 && names[0] === APARTMENT) return drawnApartments;
  const files = new Map<string, string>();
  const ids: string[] = [];
  for (const name of names) {
    if (name === "" || name === APARTMENT) throw notAlone(spec, name);
    if (name.startsWith(`${APARTMENT}/`) && !SCENE_FILE.test(name)) {
      ids.push(...apartments(name));
      continue;
    }
    for (const file of await filesAt(name)) {
      const id = idOf(file);
      files.set(id, file);
      ids.push(id);
    }
  }
  const source: SceneSource = {
    locate: async (id) => {
      const file = files.get(id);
      if (file !== undefined) return file;
      throw new DataError("missing_scene", `${id} is not one of the given scenes`, { where: spec });
    },
  };
  return { kind: "listed", ids: [...new Set(ids)], source };
}

function notAlone(spec: string, name: string): ConfigError {
  const problem =
    name === ""
      ? "a name is empty"
      : `"${name}" draws new scenes and cannot be combined with others`;
  return new ConfigError("bad_scenes", `${problem}: got "${spec}"`, {
    where: "--scenes",
    hint: "write apartment, or a comma-separated list of apartment/3, apartment/100-119, files and folders",
  });
}

function apartments(name: string): string[] {
  const match = /^apartment\/(\d+)(?:-(\d+))?$/.exec(name);
  const [first, last] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
  if (!match || !(last >= first) || last - first >= 100_000) {
    throw new ConfigError("bad_scenes", `"${name}" is not an apartment number or range`, {
      where: "--scenes",
      hint: "valid: apartment/3, or apartment/100-119 with the smaller number first",
    });
  }
  return Array.from({ length: last - first + 1 }, (_, i) => `${APARTMENT}/${first + i}`);
}

async function filesAt(path: string): Promise<string[]> {
  const info = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === undefined) throw error;
    throw new ConfigError("no_scenes", `the scene file or folder "${path}" does not exist`, {
      where: "--scenes",
      hint: "valid: apartment, apartment/<n>, apartment/<n>-<m>, a .scene_instance.json, a file or a folder of .glb, .gltf or .obj",
    });
  });
  if (!info.isDirectory()) {
    if (SCENE_FILE.test(path) || SCENE_INSTANCE.test(path)) return [path];
    throw new ConfigError(
      "no_scenes",
      "a scene file must be .glb, .gltf, .obj or .scene_instance.json",
      {
        where: path,
      },
    );
  }
  const names = await readdir(path, { recursive: true });
  const files = names.filter((name) => SCENE_FILE.test(name) && !isDuplicate(name, names)).sort();
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new ConfigError("no_scenes", "the folder has no .glb, .gltf or .obj files", {
    where: path,
  });
}

/** HM3D has several files per scene; its episodes name the one with packed textures. */
function isDuplicate(name: string, names: readonly string[]): boolean {
  if (/\.semantic\.glb$/i.test(name)) return true;
  return /\.glb$/i.test(name) && names.includes(name.replace(/\.glb$/i, ".basis.glb"));
}

/** Scene id in episodes: the path after `scene_datasets/`, otherwise the path as given. */
function idOf(file: string): string {
  const path = file.split(sep).join("/");
  const at = path.lastIndexOf("scene_datasets/");
  return normaliseSceneId(at < 0 ? path : path.slice(at + "scene_datasets/".length));
}
