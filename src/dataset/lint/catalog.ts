import { demoLength } from "./rules/demo-length.js";
import { duplicateId } from "./rules/duplicate-id.js";
import { geodesicDistance } from "./rules/geodesic-distance.js";
import { goalRadius } from "./rules/goal-radius.js";
import { groundTruthHeading } from "./rules/ground-truth-heading.js";
import { lookalikeObject } from "./rules/lookalike-object.js";
import { missingGoal } from "./rules/missing-goal.js";
import { missingGraph } from "./rules/missing-graph.js";
import { missingInstruction } from "./rules/missing-instruction.js";
import { missingScene } from "./rules/missing-scene.js";
import { missingTarget } from "./rules/missing-target.js";
import { nonFinite } from "./rules/non-finite.js";
import { offGraph } from "./rules/off-graph.js";
import { oldHeadings } from "./rules/old-headings.js";
import { pathEnd } from "./rules/path-end.js";
import { pathJump } from "./rules/path-jump.js";
import { pathLength } from "./rules/path-length.js";
import { pathStart } from "./rules/path-start.js";
import { quaternionNorm } from "./rules/quaternion-norm.js";
import { rotationOrder } from "./rules/rotation-order.js";
import { sameReceptacle } from "./rules/same-receptacle.js";
import { shortInstruction } from "./rules/short-instruction.js";
import { shortPath } from "./rules/short-path.js";
import { tiltedStart } from "./rules/tilted-start.js";
import { unreachableGoal } from "./rules/unreachable-goal.js";
import { unscoredInstruction } from "./rules/unscored-instruction.js";
import { upsideDownImages } from "./rules/upside-down-images.js";
import { zeroDistance } from "./rules/zero-distance.js";
import type { LintRule, RuleFactory } from "./types.js";

/** Every rule. Findings of the same severity are reported in this order. */
export const LINT_RULES: readonly RuleFactory[] = [
  duplicateId,
  missingScene,
  missingGraph,
  ...[nonFinite, unreachableGoal, offGraph, rotationOrder, tiltedStart, quaternionNorm].map(
    stateless,
  ),
  oldHeadings,
  groundTruthHeading,
  missingGoal,
  ...[missingTarget, sameReceptacle, lookalikeObject].map(stateless),
  goalRadius,
  ...[zeroDistance, geodesicDistance, shortPath, pathStart, pathEnd, pathJump].map(stateless),
  ...[pathLength, missingInstruction, shortInstruction, unscoredInstruction].map(stateless),
  stateless(demoLength),
  upsideDownImages,
];

/** Shares a stateless rule between runs. */
function stateless(rule: LintRule): RuleFactory {
  return () => rule;
}
