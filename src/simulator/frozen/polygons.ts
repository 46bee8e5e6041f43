import { z } from "zod";
import type { MeshPolygons } from "../manipulation/physics/model/polygons.js";
import { readPacked } from "./packed.js";

const polygonsSchema = z.strictObject({
  format: z.literal("robot-eval-polygons/1"),
  meshes: z.array(
    z.strictObject({
      vertices: z.array(z.array(z.number().int().min(0))),
      normals: z.array(z.array(z.number().nullable()).length(3)),
    }),
  ),
});

/** The polygons of a world's meshes, in the order of the original. @throws DataError if the file is damaged */
export async function readPolygons(
  world: string,
  file: { readonly file: string; readonly sha256: string },
): Promise<readonly MeshPolygons[]> {
  const content = "the polygons of the meshes";
  const document = { ...file, schema: polygonsSchema, code: "bad_polygons", content };
  return (await readPacked(world, document)).meshes;
}
