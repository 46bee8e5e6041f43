import { stat } from "node:fs/promises";
import { basename, dirname, resolve, sep } from "node:path";
import { DataError } from "../../../../core/errors.js";
import type { Transform } from "../../gltf/transform.js";
import { axesOf, toHabitat } from "../../orientation.js";
import { checkWithin, mayLookAt } from "../../within.js";
import { textOf } from "../config-file.js";
import { simpleName } from "../dataset.js";
import { readAxes, stageSources } from "../stage-config.js";

interface SemanticFiles {
  readonly mesh?: string;
  readonly descriptor?: string;
  /** Converts the axes of the mesh to Habitat's, if they differ from the scan's. */
  readonly transform?: Transform;
}

/** How the data sets name the files next to a scan `<name>.glb`. */
const MESHES = [".semantic.glb", "_semantic.ply"];
const DESCRIPTORS = [".semantic.txt", ".house", ".scn"];

/**
 * The annotations of a scan: `semantic_asset` and `semantic_descriptor_filename` in its configuration or that
 * of its data set, else the files next to it that have its name.
 */
export async function findSemanticFiles(sceneFile: string): Promise<SemanticFiles> {
  const name = simpleName(basename(sceneFile));
  const folder = dirname(resolve(sceneFile));
  const sources = await stageSources(sceneFile);
  const roots = [folder, ...sources.map(({ file }) => dirname(resolve(file)))];

  async function pathOf(key: string, endings: readonly string[]): Promise<string | undefined> {
    const candidates = endings.map((ending) => resolve(folder, `${name}${ending}`));
    for (const { attributes, file } of [...sources].reverse()) {
      const value = textOf(attributes, key, file);
      if (value === undefined) continue;
      const path = resolve(folder, value.replaceAll("%%CONFIG_NAME_AS_ASSET_FILENAME%%", name));
      if (!roots.some((root) => path.startsWith(root + sep))) {
        throw new DataError("outside_dataset", `\`${key}\` leads out of the data set's folder`, {
          where: file,
          hint: `move the file below ${roots.at(-1)}`,
        });
      }
      candidates.unshift(path);
    }
    for (const path of candidates.filter(mayLookAt)) {
      await checkWithin(path);
      if ((await stat(path).catch(() => undefined))?.isFile()) return path;
    }
    return undefined;
  }

  const mesh = await pathOf("semantic_asset", MESHES);
  const descriptor = await pathOf("semantic_descriptor_filename", DESCRIPTORS);
  const withAxes = sources.find(({ attributes }) => attributes.semantic_up !== undefined);
  const axes = withAxes && {
    up: withAxes.attributes.semantic_up,
    front: withAxes.attributes.semantic_front,
  };
  const transform = axes && toHabitat(axesOf(readAxes(axes, withAxes.file)).axes);
  return {
    ...(mesh !== undefined && { mesh }),
    ...(descriptor !== undefined && { descriptor }),
    ...(transform && { transform }),
  };
}
