import type { SceneInstance, ScenePart } from "../../model.js";
import type { MeshBuilder } from "./builder.js";

/** Assigns names and numbers to objects and collects their triangles. */
export class InstanceList {
  readonly parts: ScenePart[] = [];
  readonly instances: SceneInstance[] = [];
  readonly #counts = new Map<string, number>();

  add(category: string, room: string | undefined, builder: MeshBuilder): void {
    const parts = builder.parts(this.instances.length);
    if (parts.length === 0) return;
    const number = (this.#counts.get(category) ?? 0) + 1;
    this.#counts.set(category, number);
    const min: [number, number, number] = [Infinity, Infinity, Infinity];
    const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    for (const { mesh } of parts) {
      for (let i = 0; i < mesh.positions.length; i += 3) {
        for (let k = 0; k < 3; k++) {
          const value = mesh.positions[i + k] as number;
          if (value < (min[k] as number)) min[k] = value;
          if (value > (max[k] as number)) max[k] = value;
        }
      }
    }
    this.instances.push({
      name: `${category}_${number}`,
      category,
      min,
      max,
      ...(room === undefined ? {} : { room }),
    });
    this.parts.push(...parts);
  }
}
