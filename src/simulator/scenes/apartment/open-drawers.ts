import type { SceneDrawer, ScenePart } from "../model.js";
import { MeshBuilder } from "./mesh/builder.js";
import { box } from "./mesh/shapes.js";

/** A drawer that a simulator moves, and how far it is open at first. */
export interface OpenDrawer {
  /** The name of its `SceneDrawer`. */
  readonly name: string;
  /** Metres. */
  readonly openedM: number;
}

/** How far a handle stands out from the front. */
const HANDLE_M = 0.06;

/** The space that a drawer takes at its opening, with its handle. */
export function drawerObstacle(drawer: SceneDrawer, openedM: number): ScenePart {
  const { front, yawRad, material } = drawer;
  const [width, height, depth] = drawer.sizeM;
  const b = new MeshBuilder({ at: front, turnRad: yawRad });
  const surface = { material, repeatM: [1, 1] as const };
  const [x, y] = [width / 2, height / 2];
  box(b, surface, [-x, -y, openedM - depth], [x, y, openedM + HANDLE_M]);
  const [part] = b.parts(0);
  if (!part) throw new Error(`the drawer ${drawer.name} has no size`);
  return part;
}
