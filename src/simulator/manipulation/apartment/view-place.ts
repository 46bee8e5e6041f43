import type { ViewPlace } from "../../../core/interfaces/manipulation-view.js";
import { fixtureNames } from "../fixtures/names.js";
import type { Physics } from "../physics/physics.js";
import { fromScene, toScene } from "../visual/axes.js";
import type { ApartmentWorld } from "./apartment-world.js";
import { drawerSurface } from "./drawers.js";

type ViewFloor = ViewPlace["floor"];

const floors = new WeakMap<ApartmentWorld["navMesh"], ViewFloor>();

/** Furniture and floor of an apartment, as experts see them. */
export function viewPlace(
  { model, navMesh, receptacles, drawers }: ApartmentWorld,
  physics: Pick<Physics, "isClear" | "joint">,
): ViewPlace {
  const floor = floors.get(navMesh) ?? floorOf(model, navMesh);
  floors.set(navMesh, floor);
  const furniture = receptacles.map(({ name, surfaces }) => ({
    name,
    surfaces: surfaces.map((surface) => ({ ...surface, centre: fromScene(surface.centre) })),
  }));
  return {
    floor,
    isClear: (from, to) => physics.isClear(from, to),
    get receptacles() {
      const inside = drawers.map((drawer) => {
        const surface = drawerSurface(drawer, physics.joint(fixtureNames(drawer.name).joint));
        const surfaces = surface ? [{ ...surface, centre: fromScene(surface.centre) }] : [];
        return { name: drawer.name, surfaces };
      });
      return [...furniture, ...inside];
    },
  };
}

function floorOf(
  { rooms }: ApartmentWorld["model"],
  navMesh: ApartmentWorld["navMesh"],
): ViewFloor {
  const corners = rooms.flatMap(({ outline }) => outline);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, z]) => 0 - z);
  return {
    box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    isFree: (x, y) => navMesh.isNavigable(toScene([x, y, 0])),
  };
}
