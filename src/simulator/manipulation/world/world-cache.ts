import { mjcfText } from "../../../core/mjcf/element.js";
import { joinFragments } from "../../../core/mjcf/fragment.js";
import { type ComposeOptions, movingFragments } from "../mjcf/compose.js";
import { type WorldDocument, worldDocument } from "../mjcf/compose-files.js";
import type { ModelCache } from "../physics/model/cache.js";
import type { Physics } from "../physics/physics.js";
import type { ManipulationWorld } from "./world.js";
import { createWorld } from "./world-physics.js";

/** Each cached world keeps its model and state in WASM memory. */
const MAX_CACHED = 4;

/**
 * Caches compiled worlds of users' scenes and of apartments: compiling them may take seconds, and the episodes of a
 * dataset are usually in few of them. Tabletop worlds differ from episode to episode and compile in milliseconds, so
 * they are not cached.
 */
export class WorldCache {
  /** Unused worlds by what they were compiled from. */
  readonly #idle = new Map<string, Physics>();
  readonly #keys = new WeakMap<Physics, string>();
  readonly #cache: ModelCache | undefined;
  /** Files, by their hashes, that a world was made of. */
  readonly #seen = new Set<string>();

  /** @param cache has compiled models from earlier processes */
  constructor(cache?: ModelCache) {
    this.#cache = cache;
  }

  /** A world in its initial state, nothing placed yet. The caller returns it with `giveBack`. */
  async take(world: ManipulationWorld, options: ComposeOptions, where: string): Promise<Physics> {
    const known = apartmentKey(world, options);
    const idle = known === undefined ? undefined : this.#reused(known);
    if (idle) return idle;
    const document = worldDocument(world, options);
    const key = known ?? keyOf(world, document, options);
    const kept = key === undefined || key === known ? undefined : this.#reused(key);
    if (kept) return kept;
    // A cached world outlives its first episode, so errors name the scene instead.
    const origin = world.documents?.scene?.path ?? world.apartment?.model.id ?? where;
    const physics = await createWorld(world, options, origin, {
      document,
      cache: this.#isFirstOf(world) ? this.#cache : undefined,
    });
    if (key !== undefined) this.#keys.set(physics, key);
    return physics;
  }

  #reused(key: string): Physics | undefined {
    const kept = this.#idle.get(key);
    this.#idle.delete(key);
    kept?.reset();
    return kept;
  }

  /**
   * Only the first world of a scene and robot is stored on disk. The next ones differ from it in the episode's objects.
   * They compile quickly, because MuJoCo has the meshes then, and storing them all would fill the cache.
   */
  #isFirstOf({ documents }: ManipulationWorld): boolean {
    const { scene, robot } = documents ?? {};
    const key = JSON.stringify([scene?.files.sha256, robot?.files.sha256]);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  giveBack(physics: Physics): void {
    const key = this.#keys.get(physics);
    // A diverged world is not reused.
    if (key === undefined || physics.diverged() !== undefined) {
      physics.dispose();
      return;
    }
    this.#idle.get(key)?.dispose();
    this.#idle.delete(key);
    this.#idle.set(key, physics);
    for (const [oldest, unused] of [...this.#idle].slice(0, -MAX_CACHED)) {
      unused.dispose();
      this.#idle.delete(oldest);
    }
  }

  dispose(): void {
    for (const physics of this.#idle.values()) physics.dispose();
    this.#idle.clear();
  }
}

/** What a compiled apartment depends on. Poses of the robot and the objects are set at reset. */
function apartmentKey(world: ManipulationWorld, options: ComposeOptions): string | undefined {
  const { apartment, robot, objects, documents } = world;
  if (!apartment || documents) return undefined;
  const moving = joinFragments(robot.robotType, [], movingFragments(world));
  return JSON.stringify([apartment.sha256, options, objects.length, mjcfText(moving)]);
}

/** Undefined for worlds that are not cached. Files are identified by their hash, the generated part by its text. */
function keyOf(
  { documents }: ManipulationWorld,
  { xml, own }: WorldDocument,
  { timestepS }: ComposeOptions,
): string | undefined {
  const { scene, robot } = documents ?? {};
  if (!scene) return undefined;
  return JSON.stringify([xml, own, timestepS, scene.files.sha256, robot?.files.sha256]);
}
