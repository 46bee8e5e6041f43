import { CATEGORIES, MOVABLE_CATEGORIES } from "./categories.js";

/** Synonyms of the categories, as used in object names of modellers and data sets. */
const SYNONYMS: Readonly<Record<string, string>> = {
  sofa: "couch",
  armchair: "chair",
  stool: "chair",
  potted_plant: "plant",
  houseplant: "plant",
  tv: "tv_monitor",
  television: "tv_monitor",
  monitor: "tv_monitor",
  bookshelf: "shelf",
  shelves: "shelf",
  shelving: "shelf",
  closet: "wardrobe",
  cupboard: "cabinet",
  bedside: "nightstand",
  refrigerator: "fridge",
  oven: "stove",
  bath: "bathtub",
  light: "lamp",
  painting: "picture",
  carpet: "rug",
  stair: "stairs",
  staircase: "stairs",
  ground: "floor",
};

/** Without what robots carry, whose words are parts of others: a trash can is no can. */
const KNOWN: ReadonlySet<string> = new Set(
  CATEGORIES.filter((name) => !MOVABLE_CATEGORIES.some((movable) => movable === name)),
);

/**
 * The category of an object by its name: `chair_3`, `Sofa.001`, `tv_monitor_2`, `bed12`. The name, or its
 * letters before the first digit or underscore, must be a known word; otherwise the result is `unknown`.
 */
export function categoryOfName(name: string): string {
  const plain = snakeCase(name);
  const withoutNumber = plain.replace(/[\d_.]+$/, "");
  const leading = /^[a-z]*/.exec(plain)?.[0] ?? "";
  return known(withoutNumber) ?? known(leading) ?? "unknown";
}

/**
 * The category of a label of people, as in HM3D, MP3D and HSSD: `dining chair`, `bathroom sink`. The last word
 * decides, because it is the noun: `toilet paper` is not a `toilet`. A label without a known noun is its own
 * category.
 */
export function categoryOfLabel(label: string): string {
  const plain = snakeCase(label.split(/[/,]/)[0] ?? "").replaceAll(/[^\p{L}\p{N}_]+/gu, "_");
  const last = plain.split("_").at(-1) ?? "";
  return known(plain) ?? known(last) ?? known(last.replace(/s$/, "")) ?? (plain || "unknown");
}

export function snakeCase(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}

function known(word: string): string | undefined {
  return KNOWN.has(word) ? word : Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : undefined;
}
