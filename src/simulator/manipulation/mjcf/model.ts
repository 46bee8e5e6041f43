import { DataError } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";
import type { Anatomy, BodyAnatomy, JointAnatomy } from "../physics/anatomy.js";
import { ELEMENT_KINDS, type ElementKind } from "../physics/names.js";
import { Physics } from "../physics/physics.js";
import { type MjcfFiles, readMjcf } from "./files.js";

/** An MJCF file of somebody's: its files, and what was found in it when it was compiled. */
export interface MjcfModel {
  /** On the disk. */
  readonly path: string;
  readonly files: MjcfFiles;
  readonly timestepS: number;
  has(kind: ElementKind, name: string): boolean;
  names(kind: ElementKind): readonly string[];
  body(name: string): BodyAnatomy;
  joint(name: string): JointAnatomy;
  friction(geom: string): number;
}

/** Kept for the next episode: most of a dataset's are in few scenes. */
const MODELS_KEPT = 4;

/** Reads models, each once while its file is among the last ones asked for. */
export class MjcfLibrary {
  readonly #models = new Map<string, Promise<MjcfModel>>();

  model(path: string): Promise<MjcfModel> {
    const model = this.#models.get(path) ?? inspect(path);
    this.#models.delete(path);
    this.#models.set(path, model);
    // One that failed may be there the next time.
    model.catch(() => this.#models.delete(path));
    for (const oldest of [...this.#models.keys()].slice(0, -MODELS_KEPT)) {
      this.#models.delete(oldest);
    }
    return model;
  }
}

async function inspect(path: string): Promise<MjcfModel> {
  const files = await readMjcf(path);
  const physics = await Physics.create({ path: files.main }, { files: files.files, where: path });
  try {
    const names = new Map(ELEMENT_KINDS.map((kind) => [kind, physics.names(kind)]));
    const anatomy = physics.anatomy();
    const read = <T>(kind: ElementKind, of: (anatomy: Anatomy, name: string) => T) => {
      const all = new Map((names.get(kind) ?? []).map((name) => [name, of(anatomy, name)]));
      return (name: string): T => {
        const found = all.get(name);
        if (found !== undefined) return found;
        throw new DataError("unknown_element", `the model has no ${kind} "${name}"`, {
          where: path,
          hint: suggestion(name, [...all.keys()]),
        });
      };
    };
    return {
      path,
      files,
      timestepS: physics.timestepS,
      has: (kind, name) => names.get(kind)?.includes(name) ?? false,
      names: (kind) => names.get(kind) ?? [],
      body: read("body", (all, name) => all.body(name)),
      joint: read("joint", (all, name) => all.joint(name)),
      friction: read("geom", (all, name) => all.friction(name)),
    };
  } finally {
    physics.dispose();
  }
}
