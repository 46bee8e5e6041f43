/**
 * Generates datasets: navigation episodes in generated apartments or your own scenes, manipulation episodes,
 * and training data recorded from an agent.
 *
 * @packageDocumentation
 */

export { collectDemonstrations } from "./collect/collect.js";
export type { CollectOptions } from "./collect/options.js";
export { type GeneratedSplit, generateEpisodes } from "./generate.js";
export {
  generateManipulation,
  type ManipulationOptions,
  type ManipulationSplit,
} from "./manipulation/generate.js";
export type { GenerateOptions } from "./options.js";
export { drawnApartments, findScenes } from "./scenes.js";
export { writeEpisodes, writeSplit } from "./write.js";
