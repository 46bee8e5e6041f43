import { categoryNumber } from "../../scenes/categories.js";
import { categoryOfName } from "../../scenes/category-of-name.js";
import { catalogueModel } from "../objects/catalogue/catalogue.js";
import type { ManipulationWorld } from "../world/world.js";

/** The number of each instance's category, as in navigation, indexed by the instance's number in semantic images. */
export function categoryNumbers(
  instances: readonly string[],
  { apartment, objects }: Pick<ManipulationWorld, "apartment" | "objects">,
): Uint16Array {
  const categories = new Map<string, string>();
  for (const { name, category } of apartment?.model.instances ?? []) categories.set(name, category);
  for (const { name, model, shape } of objects) {
    categories.set(name, model === undefined ? shape : catalogueModel(model).category);
  }
  return Uint16Array.from(instances, (name) =>
    categoryNumber(categories.get(name) ?? categoryOfName(name)),
  );
}
