import type { MjData } from "@mujoco/mujoco";
import type { Names } from "./names.js";

/** Two geoms that penetrate each other. */
export interface Overlap {
  readonly bodies: readonly [string, string];
  /** Empty for a geom without a name. */
  readonly geoms: readonly [string, string];
  readonly depthM: number;
}

/**
 * The overlaps of the current contacts, the deepest first.
 *
 * @param bodies of geoms
 */
export function overlapsOf(data: MjData, names: Names, bodies: Int32Array): readonly Overlap[] {
  const list = data.contact;
  const found: Overlap[] = [];
  for (let i = 0; i < list.size(); i++) {
    const contact = list.get(i);
    if (!contact) continue;
    const { geom1, geom2, dist } = contact;
    contact.delete();
    // Flexible bodies have no geoms.
    if (dist >= 0 || geom1 < 0 || geom2 < 0) continue;
    const body = (geom: number) => names.name("body", bodies[geom] ?? 0);
    found.push({
      bodies: [body(geom1), body(geom2)],
      geoms: [names.name("geom", geom1), names.name("geom", geom2)],
      depthM: 0 - dist,
    });
  }
  list.delete();
  return found.sort((a, b) => b.depthM - a.depthM);
}
