import { readFile, stat } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { DataError, errorMessage } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { checkWithin } from "../within.js";

/** The GLB that a name in a scene instance refers to. */
export interface Template {
  readonly glb: string;
  /** The configuration that refers to the GLB. */
  readonly config?: string;
}

/**
 * Finds the GLB of a name in a scene instance below the data set's folder; undefined if it is missing. Names
 * may contain folders (`stages/102343992`). HSSD sorts its objects by the first letter of their name, and has
 * doors and windows in `openings` and parts of larger objects in `decomposed`. ReplicaCAD has separate
 * configurations that refer to the GLB.
 */
export async function findTemplate(
  root: string,
  name: string,
  kind: "stage" | "object",
): Promise<Template | undefined> {
  const plain = name.replace(/\.(glb|(stage|object)_config\.json)$/, "");
  const whole = plain.replace(/_part_\d+$/, "");
  const stems = [
    plain,
    `${kind}s/${plain}`,
    `configs/${kind}s/${plain}`,
    ...(kind === "object"
      ? [
          `objects/${plain.slice(0, 1)}/${plain}`,
          `objects/openings/${plain}`,
          `objects/decomposed/${whole}/${plain}`,
        ]
      : []),
  ].map((stem) => resolve(root, stem));
  // Names are untrusted: a path must stay inside the data set.
  for (const stem of stems.filter((path) => path.startsWith(resolve(root) + sep))) {
    const config = `${stem}.${kind}_config.json`;
    if (await isFile(config)) {
      const asset = await renderAsset(config);
      if (asset !== undefined && (await isFile(asset))) return { glb: asset, config };
    }
    if (await isFile(`${stem}.glb`)) return { glb: `${stem}.glb` };
  }
  return undefined;
}

async function renderAsset(config: string): Promise<string | undefined> {
  try {
    const json: unknown = JSON.parse(await readFile(config, "utf8"));
    const asset = isRecord(json) ? json.render_asset : undefined;
    return typeof asset === "string" ? resolve(dirname(config), asset) : undefined;
  } catch (error) {
    throw new DataError(
      "bad_scene_instance",
      `the configuration is not valid JSON: ${errorMessage(error)}`,
      {
        where: config,
        hint: "correct or remove it",
      },
    );
  }
}

async function isFile(path: string): Promise<boolean> {
  await checkWithin(path);
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
