import { readFile, stat } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { DataError, errorMessage } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";

/** What a name in a scene instance stands for. */
export interface Template {
  readonly glb: string;
  /** The configuration that pointed at it. */
  readonly config?: string;
}

/**
 * The GLB behind a name in a scene instance, below the data set's folder; undefined where there is none.
 * Names may have folders in them (`stages/102343992`). HSSD sorts its objects by the first letter of their
 * name, keeps doors and windows in `openings` and parts of larger objects in `decomposed`; ReplicaCAD keeps
 * configurations apart, which point at the GLB.
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
  // A name is data: it must not lead out of the data set.
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
    throw new DataError("bad_scene_instance", `its JSON is broken: ${errorMessage(error)}`, {
      where: config,
      hint: "mend or remove it",
    });
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
