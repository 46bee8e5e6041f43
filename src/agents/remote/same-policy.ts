import type { PolicyConnection } from "../../api/session/connection.js";
import { isSameIdentity, otherPolicy, type PolicyIdentity } from "../../core/policy-identity.js";

/**
 * Rejects a connection to another policy than the run's: a replica with other weights, or a policy that was restarted
 * with another checkpoint. The episodes of one run must not mix them.
 */
export function checkSamePolicy(
  connection: Pick<PolicyConnection, "policy" | "label" | "refuse">,
  first: PolicyIdentity | undefined,
): void {
  const { policy, label } = connection;
  if (isSameIdentity(policy, first)) return;
  const error = otherPolicy(policy, first, label);
  connection.refuse(error);
  throw error;
}
