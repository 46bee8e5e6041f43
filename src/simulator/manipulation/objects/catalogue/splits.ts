/** Which models episodes of a split may have. Validation has other models, and categories that training lacks. */
export const OBJECT_SPLITS = ["train", "val"] as const;
export type ObjectSplit = (typeof OBJECT_SPLITS)[number];

/** Models of a seen category up to this number are for training, the others for validation. */
const TRAINING_MODELS = 4;

/** Categories that only validation has. */
export const UNSEEN_CATEGORIES: readonly string[] = [
  "vase",
  "pepper_mill",
  "pitcher",
  "soap_dispenser",
];

/** The split of a model: `mug/3` is for training. */
export function splitOf(category: string, number: number): ObjectSplit {
  return UNSEEN_CATEGORIES.includes(category) || number > TRAINING_MODELS ? "val" : "train";
}
