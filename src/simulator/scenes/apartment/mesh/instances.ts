import { pointBounds } from "../../geometry.js";
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
    this.instances.push({
      name: `${category}_${number}`,
      category,
      ...pointBounds(parts.map(({ mesh }) => mesh.positions)),
      ...(room === undefined ? {} : { room }),
    });
    this.parts.push(...parts);
  }
}
