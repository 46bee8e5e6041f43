import type { ViewPlace } from "../../../core/interfaces/manipulation-view.js";
import type { Physics } from "../physics/physics.js";
import { fromScene, toScene } from "../visual/axes.js";
import type { ApartmentWorld } from "./apartment-world.js";

type ViewFloor = ViewPlace["floor"];

const floors = new WeakMap<ApartmentWorld["navMesh"], ViewFloor>();

/** Furniture and floor of an apartment, as experts see them. */
export function viewPlace(
  { model, navMesh, receptacles }: ApartmentWorld,
  physics: Pick<Physics, "isClear">,
): ViewPlace {
  const floor = floors.get(navMesh) ?? floorOf(model, navMesh);
  floors.set(navMesh, floor);
  return {
    floor,
    isClear: (from, to) => physics.isClear(from, to),
    receptacles: receptacles.map(({ name, surfaces }) => ({
      name,
      surfaces: surfaces.map((surface) => ({ ...surface, centre: fromScene(surface.centre) })),
    })),
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
