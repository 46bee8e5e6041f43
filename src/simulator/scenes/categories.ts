/**
 * The numbers that a semantic picture has for categories: an entry's place in this list. It only ever
 * grows at its end, so that a policy's table stays right. 0 is anything that has no name here.
 */
export const CATEGORIES = [
  "unknown",
  "wall",
  "floor",
  "ceiling",
  "door",
  "window",
  // Habitat's ObjectNav categories (habitat-challenge 2022).
  "chair",
  "couch",
  "plant",
  "bed",
  "toilet",
  "tv_monitor",
  // What else stands in apartments.
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
] as const;

const NUMBERS = new Map<string, number>(CATEGORIES.map((name, i) => [name, i]));

export function categoryNumber(category: string): number {
  return NUMBERS.get(category) ?? 0;
}
