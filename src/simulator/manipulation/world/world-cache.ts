import type { ComposeOptions } from "../mjcf/compose.js";
import { type WorldDocument, worldDocument } from "../mjcf/compose-files.js";
import type { Physics } from "../physics/physics.js";
import type { ManipulationWorld } from "./world.js";
import { createWorld } from "./world-physics.js";

/** Of several scenes in turn. Each holds its model and its state in WASM memory. */
const WORLDS_KEPT = 4;

/**
 * Worlds in scenes of the user's, compiled once for all episodes in them: meshes may take seconds, and most of a
 * dataset's episodes are in few scenes. Worlds that are made here differ from episode to episode and take
 * milliseconds, so they are not kept.
 */
export class KeptWorlds {
  /** By what they were compiled from; nobody uses them now. */
  readonly #idle = new Map<string, Physics>();
  readonly #keys = new WeakMap<Physics, string>();

  /** As it was compiled, nothing placed yet. Whoever takes it gives it back. */
  async take(world: ManipulationWorld, options: ComposeOptions, where: string): Promise<Physics> {
    const document = worldDocument(world, options);
    const key = keyOf(world, document, options);
    const kept = key === undefined ? undefined : this.#idle.get(key);
    if (key !== undefined && kept) {
      this.#idle.delete(key);
      kept.reset();
      return kept;
    }
    // One that is kept outlives the episode that it was compiled for.
    const origin = world.documents?.scene?.path ?? where;
    const physics = await createWorld(world, options, origin, document);
    if (key !== undefined) this.#keys.set(physics, key);
    return physics;
  }

  giveBack(physics: Physics): void {
    const key = this.#keys.get(physics);
    // What has diverged is not trusted again.
    if (key === undefined || physics.diverged() !== undefined) {
      physics.dispose();
      return;
    }
    this.#idle.get(key)?.dispose();
    this.#idle.delete(key);
    this.#idle.set(key, physics);
    for (const [oldest, unused] of [...this.#idle].slice(0, -WORLDS_KEPT)) {
      unused.dispose();
      this.#idle.delete(oldest);
    }
  }

  dispose(): void {
    for (const physics of this.#idle.values()) physics.dispose();
    this.#idle.clear();
  }
}

/** Undefined for a world that is not kept. Files are told by their hash, our own part by its text. */
function keyOf(
  { documents }: ManipulationWorld,
  { xml, own }: WorldDocument,
  { timestepS }: ComposeOptions,
): string | undefined {
  const { scene, robot } = documents ?? {};
  if (!scene) return undefined;
  return JSON.stringify([xml, own, timestepS, scene.files.sha256, robot?.files.sha256]);
}
