import type { RunInfo } from "../core/interfaces/result.js";
import { policiesText } from "../core/policy-identity.js";

/**
 * The name of a run in tables: the user's, else what the policy declared, else the agent. It is foreign text: escape
 * it.
 */
export function policyName({
  name,
  policies,
  agent,
}: Pick<RunInfo, "name" | "policies" | "agent">): string {
  return name ?? policiesText(policies) ?? agent;
}
