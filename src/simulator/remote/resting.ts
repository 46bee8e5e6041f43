import type { World } from "./world.js";

/**
 * Worlds of this thread that nobody is in, by what they were started from. A lane has a simulator for each of a
 * benchmark's tasks, of which one at a time is at work: so they hand their process on, and there are as many
 * processes as episodes side by side.
 */
export class RestingWorlds {
  readonly #worlds = new Map<string, Map<World, object>>();

  add(key: string, world: World, owner: object): void {
    const same = this.#worlds.get(key) ?? new Map<World, object>();
    this.#worlds.set(key, same);
    same.set(world, owner);
  }

  /** The owner's own where it rests, else anybody's. */
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
