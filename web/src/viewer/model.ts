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
  /** The material of cut surfaces. */
  setCutColor(color: string): void;
  /** Called when the camera is the top-down one. */
  setFromAbove(above: boolean): void;
}

/** Loads the glb at a URL. The loader's error names the URL and the cause. */
export async function loadModel(url: string): Promise<Object3D> {
  const { scene } = await new GLTFLoader().loadAsync(url);
  return scene;
}

/**
 * A navigation scene as a cutaway: no ceilings, cut by `plane`. Back faces are drawn in one flat colour. They are
 * visible only where the cut opens a solid object, which then looks filled.
 */
export function cutawayModel(root: Object3D, plane: Plane, seeThrough: SeeThrough): Model {
  root.updateMatrixWorld(true);
  const cut = new MeshBasicMaterial({ side: BackSide, clippingPlanes: [plane] });
  seeThrough.apply(cut);
  const looks = new Map<Material, MeshLambertMaterial>();
  /** Materials of bodies that must stay whole; the building may share them. */
  const whole = new Map<Material, MeshLambertMaterial>();
  const filled: { readonly mesh: Mesh; readonly geometry: BufferGeometry }[] = [];
  root.traverse((object) => {
    if (categoryOf(object) === "ceiling") object.visible = false;
    if (!(object instanceof Mesh)) return;
    if (isHandled(object)) {
      lambert(object, whole);
      return;
    }
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
  // `add` without an argument reports an error: scenes of other sources may name no floor.
  for (const plate of plates) root.add(plate);
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

/** A manipulation scene: without a cut, with shadows and movable bodies. */
export function manipulationModel(root: Object3D): Model {
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

/** How far walls extend beyond the floors that they enclose. */
const WALL_M = 0.13;

/** Dark areas under floors and walls: seen from above, a wall without an underside would show the background. */
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

/** The bounding box without hidden objects, such as the landscape outside the windows. */
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

/** Diffuse shading, as in the platform's own images, and fast enough for software rendering. */
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

/** Part of the robot, or of an object that it handles. */
function isHandled(object: Object3D): boolean {
  for (let node: Object3D | null = object; node; node = node.parent) {
    const category = categoryOf(node);
    if (category === "robot" || category === "object") return true;
  }
  return false;
}

/** The category of a node; in scenes of other sources, its name may contain it. */
function categoryOf(object: Object3D): string {
  const category: unknown = object.userData.category;
  if (typeof category === "string") return category;
  return /^ceiling/i.test(object.name) ? "ceiling" : "";
}
