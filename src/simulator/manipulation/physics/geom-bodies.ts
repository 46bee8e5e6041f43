import type { MjModel } from "@mujoco/mujoco";
import type { Names } from "./names.js";

/**
 * By geom, the body that it is a part of.
 *
 * MuJoCo computes the bounds of every geom outside the world body at every step, which takes longer than everything else
 * if there are hundreds. So geoms that never move can be in the world body, and a geom `table_2/0` of the world body
 * counts as a part of the empty body `table_2`.
 */
export function geomBodies(model: MjModel, names: Names): Int32Array {
  const counts: Int32Array = model.body_geomnum;
  const welded: Int32Array = model.body_weldid;
  return Int32Array.from(model.geom_bodyid as Int32Array, (body, geom) => {
    if (body !== 0) return body;
    const name = names.name("geom", geom);
    const owner = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    if (owner === "" || !names.has("body", owner)) return body;
    const id = names.id("body", owner);
    return counts[id] === 0 && welded[id] === 0 ? id : body;
  });
}
