import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { ConfigError, DataError, errorCode } from "../core/errors.js";
import { Random } from "../core/math/random.js";
import type { SceneSource } from "../core/scene/source.js";
import { normaliseSceneId } from "../dataset/scenes.js";

/** The scenes that episodes are made in. */
export type SceneSet = ListedScenes | DrawnScenes;

/** All of them are used. */
interface ListedScenes {
  readonly kind: "listed";
  readonly ids: readonly string[];
  readonly source?: SceneSource | undefined;
}

/** As many as are needed, endlessly, none twice. */
export interface DrawnScenes {
  readonly kind: "drawn";
  ids(seed: number): Iterable<string>;
}

const APARTMENT = "apartment";
const SCENE_FILE = /\.(glb|gltf|obj)$/i;
/** Numbers of drawn apartments: far from 0 to 199, which the shipped splits are made of. */
const DRAWN = { from: 10_000, count: 990_000 } as const;

/** New apartments, by the seed. */
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
 * The scenes that a text names: `apartment` for new ones, `apartment/3`, `apartment/100-119`, files and
 * folders of glTF and OBJ, with commas between them.
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
      throw new DataError("missing_scene", `${id} is none of the named scenes`, { where: spec });
    },
  };
  return { kind: "listed", ids: [...new Set(ids)], source };
}

function notAlone(spec: string, name: string): ConfigError {
  const problem = name === "" ? "a name is empty" : `"${name}" draws new ones and stands alone`;
  return new ConfigError("bad_scenes", `${problem}: got "${spec}"`, {
    where: "--scenes",
    hint: "valid: apartment; or with commas apartment/3, apartment/100-119, files and folders",
  });
}

function apartments(name: string): string[] {
  const match = /^apartment\/(\d+)(?:-(\d+))?$/.exec(name);
  const [first, last] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
  if (!match || !(last >= first) || last - first >= 100_000) {
    throw new ConfigError("bad_scenes", `"${name}" names no apartments`, {
      where: "--scenes",
      hint: "valid: apartment/3, or apartment/100-119 with the smaller number first",
    });
  }
  return Array.from({ length: last - first + 1 }, (_, i) => `${APARTMENT}/${first + i}`);
}

async function filesAt(path: string): Promise<string[]> {
  const info = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === undefined) throw error;
    throw new ConfigError("no_scenes", `there is no file or folder of scenes "${path}"`, {
      where: "--scenes",
      hint: "valid: apartment, apartment/<n>, apartment/<n>-<m>, a file or a folder of .glb, .gltf or .obj",
    });
  });
  if (!info.isDirectory()) {
    if (SCENE_FILE.test(path)) return [path];
    throw new ConfigError("no_scenes", "a scene's file is .glb, .gltf or .obj", { where: path });
  }
  const names = await readdir(path, { recursive: true });
  const files = names.filter((name) => SCENE_FILE.test(name) && !isTwin(name, names)).sort();
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new ConfigError("no_scenes", "the folder has no .glb, .gltf or .obj files", {
    where: path,
  });
}

/** HM3D has each scene several times; the one with packed textures is the one its episodes name. */
function isTwin(name: string, names: readonly string[]): boolean {
  if (/\.semantic\.glb$/i.test(name)) return true;
  return /\.glb$/i.test(name) && names.includes(name.replace(/\.glb$/i, ".basis.glb"));
}

/** As episodes name it: what stands behind `scene_datasets/`, else the path as it was given. */
function idOf(file: string): string {
  const path = file.split(sep).join("/");
  const at = path.lastIndexOf("scene_datasets/");
  return normaliseSceneId(at < 0 ? path : path.slice(at + "scene_datasets/".length));
}
