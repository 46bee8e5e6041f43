import type { ObjectFacts } from "../../../core/rules/facts.js";
import type { Physics } from "../physics/physics.js";

/** Names what objects touch: the nearest body above that a world or a rule names, else the topmost one. */
export class TouchReader {
  readonly #physics: Physics;
  /** Owner of each body, by its index; undefined for parts of the robot. */
  readonly #owners: readonly (string | undefined)[];

  /** @param named the names that the records use */
  constructor(physics: Physics, named: ReadonlySet<string>, robotBodies: readonly string[]) {
    this.#physics = physics;
    const bodies = physics.bodies();
    const owners: (string | undefined)[] = [];
    // A body's parent comes before it.
    for (const [index, { name, parent }] of bodies.entries()) {
      const inherited = index === 0 || parent === 0 ? name : owners[parent];
      owners.push(robotBodies.includes(name) ? undefined : named.has(name) ? name : inherited);
    }
    this.#owners = owners;
  }

  read(object: string): NonNullable<ObjectFacts["touches"]> {
    const touches: Record<string, number> = {};
    for (const { body, up } of this.#physics.touches(object)) {
      const owner = this.#owners[body];
      if (owner === undefined) continue;
      touches[owner] = Math.max(touches[owner] ?? -1, Number(up.toFixed(3)));
    }
    return touches;
  }
}
