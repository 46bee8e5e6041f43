import { type BufferGeometry, type Material, type Object3D, Texture } from "three";

interface Drawn {
  readonly geometry?: BufferGeometry;
  readonly material?: Material | Material[];
}

/** Frees the GPU resources of an object and its descendants, and removes it from its parent. */
export function release(root: Object3D): void {
  root.removeFromParent();
  root.traverse((object) => {
    const { geometry, material } = object as Object3D & Drawn;
    geometry?.dispose();
    for (const one of [material ?? []].flat()) releaseMaterial(one);
  });
}

function releaseMaterial(material: Material): void {
  for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
  material.dispose();
}
