import { DataError } from "../../../../core/errors.js";
import type { Bounds } from "../../geometry.js";
import type { SceneRoom } from "../../model.js";

/** An annotated object of a scan. */
export interface SemanticObject {
  /** The annotators' word: `dining chair`. */
  readonly label: string;
  /** Name of its room. */
  readonly room?: string;
  /** In Habitat's axes, if the descriptor has them. */
  readonly bounds?: Bounds;
}

/** What a semantic scene descriptor says about the objects and rooms of a scan. */
export interface Descriptor {
  readonly objects: ReadonlyMap<number, SemanticObject>;
  /** The object of each colour, 0xRRGGBB, if the semantic mesh is colour-coded. */
  readonly colors?: ReadonlyMap<number, number>;
  readonly rooms: readonly SceneRoom[];
}

export function badDescriptor(where: string, why: string): DataError {
  return new DataError("bad_semantics", `not a readable semantic descriptor: ${why}`, {
    where,
    hint: "download it again, or remove it and the semantic mesh to use the scene without annotations",
  });
}
