import { DataError } from "../../core/errors.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import {
  type DrawerSurface,
  drawerSpec,
  drawerSurface,
} from "../../simulator/manipulation/apartment/drawers.js";
import { type LeasedScene, sceneLibrary } from "../../simulator/navigation/scene-library.js";
import type { NavMeshSettings } from "../../simulator/navmesh/settings.js";
import type { SceneModel } from "../../simulator/scenes/model.js";
import type { Receptacle } from "../../simulator/scenes/receptacles.js";

/** How far the drawer of a generated episode is open. */
const OPENED_M = 0.3;
/** Lowest floor of a drawer that the hand reaches from above. */
const LOWEST_M = 0.35;

/** A drawer in which episodes of a scene begin or end. */
export interface OpenedDrawer {
  readonly openedM: number;
  readonly receptacle: Receptacle;
  readonly surface: DrawerSurface;
  /** The same scene with all drawers closed. */
  readonly closed: SceneModel;
}

/**
 * The scene with one of its drawers open, chosen by the seed.
 *
 * @throws DataError `no_drawer` if the scene has none within reach
 */
export async function sceneWithDrawer(
  sceneId: string,
  settings: NavMeshSettings,
  seed: number,
): Promise<{ readonly scene: LeasedScene; readonly drawer: OpenedDrawer }> {
  const closed = await sceneLibrary.scene(sceneId, undefined, settings);
  try {
    const { model } = closed;
    const all = (model.drawers ?? []).flatMap((one) => {
      const surface = drawerSurface(drawerSpec(one, OPENED_M), OPENED_M);
      return surface && surface.centre[1] >= LOWEST_M ? [{ ...one, surface }] : [];
    });
    if (all.length === 0) {
      throw new DataError("no_drawer", "no furniture has a drawer that opens within reach", {
        where: sceneId,
        hint: "list apartments with a chest of drawers, such as apartment/101",
      });
    }
    const random = new Random(hash53(`generate/drawer/${seed}/${sceneId}`));
    const { name, furniture, surface } = random.pick(all);
    const scene = await sceneLibrary.scene(sceneId, undefined, settings, {
      drawers: [{ name, openedM: OPENED_M }],
    });
    const room = model.instances.find((one) => one.name === furniture)?.room;
    const receptacle = { name, category: "drawer", room, surfaces: [surface] };
    return { scene, drawer: { openedM: OPENED_M, receptacle, surface, closed: model } };
  } finally {
    closed.release();
  }
}
