import {
  BackSide,
  Box3,
  type BufferGeometry,
  FrontSide,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Object3D,
  type Plane,
  PlaneGeometry,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { SeeThrough } from "./see-through.js";

export interface Model {
  readonly root: Object3D;
  readonly box: Box3;
  /** The colour of what a cut opens. */
  setCutColor(color: string): void;
  /** Looked at from straight above. */
  setFromAbove(above: boolean): void;
}

/** The glb at an address. The loader's own error says which address, and what was wrong there. */
export async function loadModel(url: string): Promise<Object3D> {
  const { scene } = await new GLTFLoader().loadAsync(url);
  return scene;
}

/**
 * A navigation scene as a doll's house: no ceilings, cut by `plane`. Backs of surfaces are drawn in one flat
 * colour: they are seen only where the cut opens something solid, which so looks filled.
 */
export function dollsHouse(root: Object3D, plane: Plane, seeThrough: SeeThrough): Model {
  root.updateMatrixWorld(true);
  const cut = new MeshBasicMaterial({ side: BackSide, clippingPlanes: [plane] });
  seeThrough.apply(cut);
  const looks = new Map<Material, MeshLambertMaterial>();
  const filled: { readonly mesh: Mesh; readonly geometry: BufferGeometry }[] = [];
  root.traverse((object) => {
    if (categoryOf(object) === "ceiling") object.visible = false;
    if (!(object instanceof Mesh)) return;
    const { mesh, look } = lambert(object, looks);
    look.clippingPlanes = [plane];
    seeThrough.apply(look);
    if (look.name.startsWith("outside_")) mesh.visible = false;
    if (look.side === FrontSide && !look.transparent)
      filled.push({ mesh, geometry: mesh.geometry });
  });
  for (const { mesh, geometry } of filled) mesh.add(new Mesh(geometry, cut));
  const ground = new MeshBasicMaterial();
  const box = visibleBox(root);
  const plates = undersides(root, ground);
  root.add(...plates);
  return {
    root,
    box,
    setCutColor(color) {
      cut.color.set(color);
      ground.color.set(color);
    },
    setFromAbove(above) {
      for (const plate of plates) plate.visible = above;
    },
  };
}

/** A manipulation world: uncut, with shadows, its bodies to be moved. */
export function workplace(root: Object3D): Model {
  root.updateMatrixWorld(true);
  const looks = new Map<Material, MeshLambertMaterial>();
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const { mesh, look } = lambert(object, looks);
    mesh.castShadow = !look.transparent;
    mesh.receiveShadow = true;
  });
  return {
    root,
    box: visibleBox(root),
    setCutColor: () => undefined,
    setFromAbove: () => undefined,
  };
}

/** How far walls reach beyond the floors that they stand around. */
const WALL_M = 0.13;

/** Seen from straight above, a wall without an underside would show the background: dark under each floor and its walls. */
function undersides(root: Object3D, material: Material): Mesh[] {
  const floors: Box3[] = [];
  root.traverse((object) => {
    if (categoryOf(object) === "floor") floors.push(new Box3().setFromObject(object));
  });
  return floors.map(({ min, max }) => {
    const plate = new PlaneGeometry(max.x - min.x + 2 * WALL_M, max.z - min.z + 2 * WALL_M);
    plate.rotateX(-Math.PI / 2);
    plate.translate((min.x + max.x) / 2, min.y - 0.03, (min.z + max.z) / 2);
    return new Mesh(plate, material);
  });
}

/** Without what is hidden, such as the landscape before the windows. */
function visibleBox(root: Object3D): Box3 {
  const box = new Box3();
  root.traverseVisible((object) => {
    if (!(object instanceof Mesh)) return;
    const mesh: Mesh = object;
    mesh.geometry.computeBoundingBox();
    if (mesh.geometry.boundingBox) {
      box.union(mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld));
    }
  });
  return box;
}

/** Diffuse shading is what the platform's own pictures have, and what software rendering can bear. */
function lambert(mesh: Mesh, looks: Map<Material, MeshLambertMaterial>) {
  const from = mesh.material;
  if (!(from instanceof MeshStandardMaterial)) {
    const look = new MeshLambertMaterial();
    mesh.material = look;
    return { mesh, look };
  }
  let look = looks.get(from);
  if (!look) {
    look = new MeshLambertMaterial({
      name: from.name,
      color: from.color,
      map: from.map,
      emissive: from.emissive,
      emissiveMap: from.emissiveMap,
      vertexColors: from.vertexColors,
      side: from.side,
      transparent: from.transparent,
      opacity: from.opacity,
      alphaTest: from.alphaTest,
    });
    looks.set(from, look);
    from.dispose();
  }
  mesh.material = look;
  return { mesh, look };
}

/** What kind of thing a node of ours is; scenes from elsewhere may tell by its name. */
function categoryOf(object: Object3D): string {
  const category: unknown = object.userData.category;
  if (typeof category === "string") return category;
  return /^ceiling/i.test(object.name) ? "ceiling" : "";
}
