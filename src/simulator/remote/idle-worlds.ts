import type { World } from "./world.js";

/**
 * Idle worlds of this thread, by the settings they were started with. A runner has a simulator for each task
 * of a benchmark but runs one at a time. The simulators therefore share processes, so that there are only as
 * many processes as concurrent episodes.
 */
export class IdleWorlds {
  readonly #worlds = new Map<string, Map<World, object>>();

  add(key: string, world: World, owner: object): void {
    const same = this.#worlds.get(key) ?? new Map<World, object>();
    this.#worlds.set(key, same);
    same.set(world, owner);
  }

  /** Prefers the owner's own idle world over others. */
  take(key: string, owner: object): { readonly world: World; readonly isOwn: boolean } | undefined {
    const same = this.#worlds.get(key);
    const own = this.takeOwn(key, owner);
    if (own) return { world: own, isOwn: true };
    const [world] = same?.keys() ?? [];
    if (!world) return undefined;
    same?.delete(world);
    return { world, isOwn: false };
  }

  takeOwn(key: string, owner: object): World | undefined {
    const same = this.#worlds.get(key);
    for (const [world, whose] of same ?? []) {
      if (whose !== owner) continue;
      same?.delete(world);
      return world;
    }
    return undefined;
  }
}
