import { describe, expect, it } from "vitest";
import { boundsOf } from "../geometry.js";
import type { SceneModel } from "../model.js";
import { apartmentWithoutDrawers, generateApartment } from "./apartment.js";
import { drawerObstacle } from "./open-drawers.js";

const SEED = 101;
const NAME = "chest_of_drawers_1_drawer_2";

function partsOf(model: SceneModel, furniture: string) {
  const instance = model.instances.findIndex(({ name }) => name === furniture);
  return {
    own: model.parts.filter((part) => part.instance === instance),
    others: model.parts.filter((part) => part.instance !== instance),
  };
}

describe("an apartment without a drawer", () => {
  it("an apartment without a drawer has a chest of the same outer size that is open where the drawer was, and nothing else changed", () => {
    const [whole, open] = [generateApartment(SEED), apartmentWithoutDrawers(SEED, [NAME])];
    expect(open.instances.map(({ name }) => name)).toEqual(whole.instances.map(({ name }) => name));
    expect(open.drawers).toEqual(whole.drawers);
    const furniture = "chest_of_drawers_1";
    const [before, after] = [partsOf(whole, furniture), partsOf(open, furniture)];
    expect(after.others).toEqual(before.others);
    expect(after.own).not.toEqual(before.own);
    expect(boundsOf(after.own)).toEqual(boundsOf(before.own));
    expect(apartmentWithoutDrawers(SEED, []).parts).toEqual(whole.parts);
  });
});

describe("drawerObstacle", () => {
  it("drawerObstacle fills the space of the drawer from its back to its handle, moved by its opening", () => {
    const drawer = generateApartment(SEED).drawers?.find(({ name }) => name === NAME);
    if (!drawer) throw new Error("no drawer");
    const opensAlong = [Math.sin(drawer.yawRad), Math.cos(drawer.yawRad)];
    const extent = (openedM: number) => {
      const { min, max } = boundsOf([drawerObstacle(drawer, openedM)]);
      return [0, 2].map((axis, i) => {
        const ends = [min[axis] ?? 0, max[axis] ?? 0].map((x) => x - (drawer.front[axis] ?? 0));
        return (opensAlong[i] ?? 0) * ((opensAlong[i] ?? 0) > 0 ? (ends[1] ?? 0) : (ends[0] ?? 0));
      });
    };
    const [closed, open] = [0, 0.3].map((m) => extent(m).reduce((sum, x) => sum + x, 0));
    expect(closed).toBeCloseTo(0.06, 3);
    expect(open).toBeCloseTo(0.36, 3);
  });
});
