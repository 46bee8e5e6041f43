import { categoryNumber } from "../../scenes/categories.js";
import { categoryOfName } from "../../scenes/category-of-name.js";
import { fixtureNames } from "../fixtures/names.js";
import { catalogueModel } from "../objects/catalogue/catalogue.js";
import type { ManipulationWorld } from "../world/world.js";

/** The number of each instance's category, as in navigation, indexed by the instance's number in semantic images. */
export function categoryNumbers(
  instances: readonly string[],
  { apartment, objects, fixtures }: Pick<ManipulationWorld, "apartment" | "objects" | "fixtures">,
): Uint16Array {
  const categories = new Map<string, string>();
  for (const { name, category } of apartment?.model.instances ?? []) categories.set(name, category);
  for (const { name, kind, furniture } of fixtures) {
    if (furniture !== undefined) categories.set(fixtureNames(name).moving, kind);
  }
  for (const { name, model, shape } of objects) {
    categories.set(name, model === undefined ? shape : catalogueModel(model).category);
  }
  return Uint16Array.from(instances, (name) =>
    categoryNumber(categories.get(name) ?? categoryOfName(name)),
  );
}
