/**
 * The API of the navigation-only evaluator that this platform grew out of. New code uses
 * `UnifiedRobotEvaluator`; docs/migration.md maps the rest.
 *
 * @packageDocumentation
 */
export type { VLNEvaluation, VLNEvaluatorConfig } from "./vln-evaluator.js";
export { VLNEvaluator } from "./vln-evaluator.js";
