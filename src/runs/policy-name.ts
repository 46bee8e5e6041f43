import type { RunInfo } from "../core/interfaces/result.js";

/** The name of the policy that a run evaluated, as shown in tables. It is foreign text: escape it. */
export function policyName({ agent }: Pick<RunInfo, "agent">): string {
  return agent;
}
