/**
 * The token that a policy requires. From the environment alone: a benchmark's file, and every run
 * that is made with it, is meant to be shown.
 */
export function policyToken(): string | undefined {
  return process.env.ROBOT_EVAL_POLICY_TOKEN;
}
