import {
  Box3,
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  type Object3D,
  Scene,
  Vector3,
} from "three";
import type { ViewerContent, ViewerTheme } from "./content.js";
import { BACKDROP } from "./palette.js";
import { release } from "./release.js";

/** Lights, background, and a floor if there is no scene geometry. */
export class Stage {
  readonly scene = new Scene();
  private readonly sky = new HemisphereLight("#ffffff", "#b8ada0", 2.1);
  private readonly sun = new DirectionalLight("#fff6e8", 1.5);
  private grid: { readonly object: GridHelper; readonly box: Box3 } | null = null;

  constructor(private theme: ViewerTheme) {
    this.sun.position.set(3, 8, 4);
    this.scene.add(this.sky, this.sun, this.sun.target);
    this.setTheme(theme);
  }

  setTheme(theme: ViewerTheme): void {
    this.theme = theme;
    this.scene.background = new Color(BACKDROP[theme].background);
    if (this.grid) this.setGrid(this.grid.box);
  }

  setGrid(box: Box3 | null): void {
    if (this.grid) release(this.grid.object);
    this.grid = null;
    if (!box) return;
    const size = box.getSize(new Vector3());
    const side = Math.ceil(Math.max(size.x, size.z, 2)) + 4;
    const { grid, gridFaint } = BACKDROP[this.theme];
    const object = new GridHelper(side, side, grid, gridFaint);
    const center = box.getCenter(new Vector3());
    object.position.set(Math.round(center.x), box.min.y - 0.01, Math.round(center.z));
    this.grid = { object, box };
    this.scene.add(object);
  }

  /** Shadows for a scene of the size of a table; for a building they would be too expensive. */
  castShadows(box: Box3): void {
    const center = box.getCenter(new Vector3());
    const reach = Math.min(2, box.getSize(new Vector3()).length() / 2);
    this.sky.intensity = 1.7;
    this.sun.intensity = 2.1;
    this.sun.castShadow = true;
    this.sun.position.copy(center).add(new Vector3(0.6, 2.4, 1.1));
    this.sun.target.position.copy(center);
    this.sun.target.updateMatrixWorld();
    const { camera, mapSize } = this.sun.shadow;
    mapSize.set(1024, 1024);
    [camera.left, camera.right, camera.top, camera.bottom] = [-reach, reach, reach, -reach];
    [camera.near, camera.far] = [0.1, 8];
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.normalBias = 0.01;
    this.sun.shadow.radius = 3;
  }

  dispose(): void {
    this.setGrid(null);
    this.sun.dispose();
    for (const child of [...this.scene.children]) release(child as Object3D);
  }
}

/** The bounding box of everything that must be visible. */
export function extentOf({ traces, reference, goals }: ViewerContent): Box3 {
  const box = new Box3();
  const point = new Vector3();
  const all = [
    ...traces.flatMap(({ points, things }) => [...points, ...Object.values(things).flat()]),
    ...reference,
    ...goals,
  ];
  for (const [x, y, z] of all) box.expandByPoint(point.set(x, y, z));
  if (box.isEmpty()) box.set(new Vector3(-1, 0, -1), new Vector3(1, 1, 1));
  const room = traces.every(({ kind }) => kind === "hand") ? 0.3 : 0.8;
  return box.expandByVector(new Vector3(room, 0, room));
}
