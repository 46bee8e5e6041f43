import { DataError } from "../../../../core/errors.js";
import type { Vec3 } from "../../../../core/math/vec3.js";
import { suggestion } from "../../../../core/registry.js";
import type { ObjectShape } from "../../world/world.js";
import { COLORS } from "../colors.js";
import { ring, type Shape, type ShapePart } from "../shape.js";
import { APPLES, BALLS } from "./kinds/balls.js";
import { BOOKS, BOXES, TOY_BLOCKS } from "./kinds/blocks.js";
import {
  BOTTLES,
  CANDLES,
  CANS,
  JARS,
  PEPPER_MILLS,
  PITCHERS,
  SOAP_DISPENSERS,
  VASES,
} from "./kinds/turned.js";
import { BOWLS, CUPS, MUGS, PLATES } from "./kinds/vessels.js";
import type { CatalogueModel, Made } from "./model.js";

interface Category {
  readonly made: readonly Made[];
  readonly like: ObjectShape;
  /** Sliding friction of ceramics, glass, metal, cardboard, wood, plastic: 0.5 to 1. */
  readonly friction: number;
}

const CATEGORIES: Readonly<Record<string, Category>> = {
  mug: { made: MUGS, like: "cup", friction: 0.7 },
  bowl: { made: BOWLS, like: "cup", friction: 0.7 },
  bottle: { made: BOTTLES, like: "bottle", friction: 0.7 },
  box: { made: BOXES, like: "box", friction: 0.7 },
  can: { made: CANS, like: "cylinder", friction: 0.6 },
  book: { made: BOOKS, like: "box", friction: 0.7 },
  plate: { made: PLATES, like: "cylinder", friction: 0.7 },
  ball: { made: BALLS, like: "capsule", friction: 0.9 },
  toy_block: { made: TOY_BLOCKS, like: "box", friction: 0.7 },
  cup: { made: CUPS, like: "cup", friction: 0.7 },
  jar: { made: JARS, like: "cylinder", friction: 0.6 },
  candle: { made: CANDLES, like: "cylinder", friction: 0.7 },
  apple: { made: APPLES, like: "capsule", friction: 0.8 },
  vase: { made: VASES, like: "bottle", friction: 0.7 },
  pepper_mill: { made: PEPPER_MILLS, like: "cylinder", friction: 0.7 },
  pitcher: { made: PITCHERS, like: "cup", friction: 0.7 },
  soap_dispenser: { made: SOAP_DISPENSERS, like: "bottle", friction: 0.7 },
};

const MODELS: ReadonlyMap<string, CatalogueModel> = new Map(
  Object.entries(CATEGORIES).flatMap(([name, category]) =>
    category.made.map((made, i) => {
      const model = modelOf(name, i + 1, category, made);
      return [model.name, model] as const;
    }),
  ),
);

/** The names of all models. */
export const CATALOGUE_MODELS = [...MODELS.keys()] as [string, ...string[]];

/**
 * A model of the catalogue by its name.
 *
 * @example
 * catalogueModel("mug/3").colorName; // "white"
 */
export function catalogueModel(name: string): CatalogueModel {
  const model = MODELS.get(name);
  if (model) return model;
  throw new DataError("unknown_model", `the catalogue of objects has no model "${name}"`, {
    hint: suggestion(name, CATALOGUE_MODELS),
  });
}

function modelOf(
  category: string,
  number: number,
  { like, friction }: Category,
  made: Made,
): CatalogueModel {
  const { color, massKg, grasp } = made;
  const rgb = COLORS[color];
  if (!rgb) throw new Error(`${category}/${number}: no colour ${color}`);
  return {
    name: `${category}/${number}`,
    category,
    colorName: color,
    rgb,
    massKg,
    friction,
    grasp,
    like,
    shape: shapeOf(made),
  };
}

/** Other sizes are the model, enlarged or reduced. */
function shapeOf({ min, max, massKg, parts, grasp }: Made): Shape {
  const sizeM: Vec3 = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
  const middle: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  const scaleOf = (size: Vec3) => size[2] / sizeM[2];
  // What has one direction to be held in is not round.
  const isRound = grasp.closingYawsRad === undefined;
  return {
    sizeM,
    massKg,
    fault: (size) =>
      size.every((x, k) => Math.abs(x / (sizeM[k] as number) - scaleOf(size)) < 1e-3)
        ? undefined
        : `its proportions are fixed: sizes are multiples of [${sizeM.map((x) => Number(x.toFixed(4))).join(", ")}]`,
    parts: (size) => parts.map((part) => scaled(part, middle, scaleOf(size))),
    outline: ([x, y, z]) =>
      isRound
        ? ring(24, [x, y, z])
        : [
            [-x / 2, -y / 2],
            [x / 2, -y / 2],
            [x / 2, y / 2],
            [-x / 2, y / 2],
          ],
  };
}

/** Moves the origin to the middle of the bounding box, and scales. */
function scaled(part: ShapePart, middle: Vec3, factor: number): ShapePart {
  const at = part.position ?? [0, 0, 0];
  return {
    ...part,
    position: [
      factor * (at[0] - middle[0]),
      factor * (at[1] - middle[1]),
      factor * (at[2] - middle[2]),
    ],
    ...(part.size ? { size: part.size.map((x) => factor * x) } : {}),
    ...(part.mesh && factor !== 1
      ? {
          mesh: {
            ...part.mesh,
            vertices: part.mesh.vertices.map(
              ([x, y, z]): Vec3 => [factor * x, factor * y, factor * z],
            ),
          },
        }
      : {}),
  };
}
