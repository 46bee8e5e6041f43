import { DataError } from "../../core/errors.js";
import { ModelCache } from "../manipulation/physics/model-cache.js";
import type { ElementKind } from "../manipulation/physics/names.js";
import { Physics } from "../manipulation/physics/physics.js";
import type { FrozenDescription, PartDescription } from "./description.js";
import { type FrozenWorld, readFrozenWorld } from "./world-files.js";

/** A frozen world and its compiled model. */
export interface OpenWorld extends FrozenWorld {
  readonly physics: Physics;
}

/** The compiled model and its state take tens of megabytes each. */
const MAX_OPEN = 4;

/** Opens frozen worlds and keeps those used last: compiling their meshes takes seconds. */
export class FrozenWorlds {
  readonly #open = new Map<string, OpenWorld>();
  readonly #cache: ModelCache | undefined;

  /** @param isForeign true for a stranger's worlds, which leave nothing in the account's folders */
  constructor(isForeign: boolean) {
    this.#cache = isForeign ? undefined : new ModelCache();
  }

  /** @throws DataError if the files are damaged, or MuJoCo rejects the model */
  async open(path: string): Promise<OpenWorld> {
    const world = this.#open.get(path) ?? (await this.#read(path));
    this.#open.delete(path);
    this.#open.set(path, world);
    for (const [oldest, unused] of [...this.#open].slice(0, -MAX_OPEN)) {
      unused.physics.dispose();
      this.#open.delete(oldest);
    }
    return world;
  }

  dispose(): void {
    for (const { physics } of this.#open.values()) physics.dispose();
    this.#open.clear();
  }

  async #read(path: string): Promise<OpenWorld> {
    const world = await readFrozenWorld(path);
    const { main, files, description } = world;
    const { timestep_s } = description.control;
    const physics = await Physics.create(
      { path: main },
      { files, where: path, timestepS: timestep_s, cache: this.#cache },
    );
    try {
      checkNames(physics, description, path);
    } catch (error) {
      physics.dispose();
      throw error;
    }
    return { ...world, physics };
  }
}

/** Names that the model lacks would otherwise fail in the middle of an episode. */
function checkNames(physics: Physics, description: FrozenDescription, where: string): void {
  const { robot, action, cameras, objects, observations } = description;
  const readings = Object.values(observations);
  const needed: readonly (readonly [ElementKind, readonly string[]])[] = [
    ["joint", [...robot.joints, ...robot.gripper_joints]],
    ["joint", action.parts.flatMap((part) => (part.type === "GRIP" ? [] : part.joints))],
    ["joint", readings.flatMap((reading) => ("joints" in reading ? reading.joints : []))],
    ["site", [robot.site]],
    ["site", action.parts.flatMap(sitesOf)],
    ["site", readings.flatMap((reading) => ("site" in reading ? [reading.site] : []))],
    ["body", [robot.hand, ...objects]],
    ["body", readings.flatMap((reading) => ("body" in reading ? [reading.body] : []))],
    ["geom", robot.fingers.flat()],
    ["actuator", action.parts.flatMap(({ actuators }) => actuators)],
    ["camera", cameras.names],
  ];
  for (const [kind, names] of needed) {
    const missing = names.find((name) => !physics.has(kind, name));
    if (missing === undefined) continue;
    throw new DataError(
      "bad_frozen",
      `the model has no ${kind} "${missing}", which the description names`,
      {
        where,
        hint: "write the world again with python -m robot_eval_client.freeze",
      },
    );
  }
}

function sitesOf(part: PartDescription): readonly string[] {
  const hasSites = part.type === "OSC_POSE" || part.type === "OSC_POSITION";
  return hasSites ? [part.site, part.base_site] : [];
}
