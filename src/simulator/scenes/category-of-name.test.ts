import { expect, it } from "vitest";
import { categoryOfName } from "./category-of-name.js";

it.each([
  ["chair_3", "chair"],
  ["Chair", "chair"],
  ["Sofa.001", "couch"],
  ["tv_monitor_2", "tv_monitor"],
  ["TV-monitor 2", "tv_monitor"],
  ["potted_plant_01", "plant"],
  ["bed12", "bed"],
  ["bed_sheet", "bed"],
  ["table_leg_left", "table"],
  ["bedroom", "unknown"],
  ["mesh_4", "unknown"],
  ["constructor_1", "unknown"],
  ["", "unknown"],
])("categoryOfName maps the name %s to the category %s", (name, category) => {
  expect(categoryOfName(name)).toBe(category);
});
