import type { Texture } from "../../model.js";
import { madeTextures } from "./canvas.js";
import { outside, VIEWS } from "./outside.js";
import { books, PAINTING_COUNT, painting, RUGS, rug, SCREENS, screen } from "./pictures.js";
import * as cover from "./surfaces.js";

/** Every texture that a generated apartment can use, by name. */
export function allTextures(): ReadonlyMap<string, Texture> {
  for (const rows of [6, 10] as const) cover.planks(rows);
  for (const look of ["plain", "chequer", "mottled"] as const) {
    for (const across of [2, 4]) cover.tiles(across, look);
  }
  for (const pattern of ["stripes", "diamonds", "dots", "leaves"] as const) {
    cover.wallpaper(pattern);
  }
  const { parquet, subwayTiles, bricks, carpet, plaster, fabric, marble, wood } = cover;
  for (const make of [parquet, subwayTiles, bricks, carpet, plaster, fabric, marble, wood]) make();
  for (const view of VIEWS) outside(view);
  for (let which = 0; which < PAINTING_COUNT; which++) painting(which);
  for (const which of [0, 1, 2] as const) books(which);
  for (const pattern of RUGS) rug(pattern);
  for (const shown of SCREENS) screen(shown);
  return madeTextures();
}
