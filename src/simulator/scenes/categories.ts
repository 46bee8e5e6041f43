/** Habitat's ObjectNav categories (habitat-challenge 2022). */
export const OBJECT_CATEGORIES = [
  "chair",
  "couch",
  "plant",
  "bed",
  "toilet",
  "tv_monitor",
] as const;

/** What robots carry: the categories of the object catalogue that no furniture has. */
export const MOVABLE_CATEGORIES = [
  "mug",
  "bowl",
  "bottle",
  "can",
  "book",
  "plate",
  "ball",
  "toy_block",
  "cup",
  "jar",
  "candle",
  "apple",
  "vase",
  "pepper_mill",
  "pitcher",
  "soap_dispenser",
] as const;

/**
 * The category numbers of semantic images: an entry's index in this list. New entries are only appended, so
 * that existing policies stay correct. 0 is any object without a category in this list.
 */
export const CATEGORIES = [
  "unknown",
  "wall",
  "floor",
  "ceiling",
  "door",
  "window",
  ...OBJECT_CATEGORIES,
  // Other objects in generated apartments.
  "table",
  "desk",
  "shelf",
  "wardrobe",
  "cabinet",
  "nightstand",
  "counter",
  "fridge",
  "stove",
  "sink",
  "bathtub",
  "shower",
  "washing_machine",
  "mirror",
  "lamp",
  "picture",
  "curtain",
  "rug",
  "stairs",
  "chest_of_drawers",
  "towel",
  "stool",
  "hood",
  "bin",
  "coat_rack",
  "keyboard",
  "box",
  ...MOVABLE_CATEGORIES,
  // A drawer that moves; a closed one that does not is a part of its furniture.
  "drawer",
] as const;

const NUMBERS = new Map<string, number>(CATEGORIES.map((name, i) => [name, i]));

/**
 * The number of a category in semantic images, its index in `CATEGORIES`; 0 for an unknown category.
 *
 * @example
 * categoryNumber("chair"); // 6
 */
export function categoryNumber(category: string): number {
  return NUMBERS.get(category) ?? 0;
}
