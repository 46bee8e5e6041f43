/**
 * The policy's side in TypeScript: write a class with `act`, and serve it or let it dial an evaluator.
 *
 * @packageDocumentation
 */

export type {
  ColorImage,
  DepthImage,
  Image,
  SemanticImage,
} from "../../core/interfaces/observation.js";
export { isImage } from "../../core/interfaces/observation.js";
export { type Dtype, NdArray } from "../codec/ndarray.js";
export { type ConnectOptions, connect, type PolicyClient } from "./connect.js";
export type { DialectName } from "./dialects.js";
export type { PolicyActionSpace, PolicyEpisode } from "./episode.js";
export type { EvaluationSummary } from "./evaluation-summary.js";
export type {
  Policy,
  PolicyAction,
  PolicyMoment,
  PolicyObservation,
  PolicySource,
  SingleAction,
} from "./policy.js";
export { type PolicyServer, type ServeOptions, serve } from "./serve.js";
