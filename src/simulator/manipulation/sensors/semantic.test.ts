import { expect, it } from "vitest";
import { STRETCH_MOBILE } from "../../../robots/stretch-mobile.js";
import { CATEGORIES } from "../../scenes/categories.js";
import { CATALOGUE_MODELS, catalogueModel } from "../objects/catalogue/catalogue.js";
import { worldOf } from "../world/from-episode.js";
import { episodeWith } from "../world/world-lab.fixture.js";
import { categoryNumbers } from "./semantic.js";

it("every category of the object catalogue has its own number in semantic images", () => {
  for (const name of CATALOGUE_MODELS) {
    expect(CATEGORIES, name).toContain(catalogueModel(name).category);
  }
});

it("instances get the number of their category, by model, shape or name", () => {
  const world = worldOf(
    episodeWith({
      table: { position: [0.8, 0, 0.7] },
      scene_objects: [
        { name: "thing", model: "mug/3", position: [0.8, 0.2] },
        { name: "box_red", position: [0.8, -0.2] },
      ],
    }),
    STRETCH_MOBILE,
  );
  const numbers = categoryNumbers(["world", "table", "base_link", "thing", "box_red"], world);
  expect([...numbers].map((number) => CATEGORIES[number])).toEqual([
    "unknown",
    "table",
    "unknown",
    "mug",
    "box",
  ]);
});
