import type { ScenePart } from "../../src/simulator/scenes/model.js";

export function triangleCount(parts: readonly ScenePart[]): number {
  return parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
}
