import type { PolicyConnection } from "../../api/session/connection.js";
import { StopRunError, show } from "../../core/errors.js";
import type { AgentTask } from "../../core/interfaces/agent.js";

/**
 * Compares what a policy's numbers mean with what the task's do. A policy that means something else acts on
 * nonsense, which no error would ever show: so nothing is run, and the policy is told why. Names that the task
 * says nothing of are not its business.
 */
export function checkConventions(
  connection: Pick<PolicyConnection, "capabilities" | "label" | "refuse">,
  { name, conventions }: Pick<AgentTask, "name" | "conventions">,
): void {
  const declared = Object.entries(connection.capabilities.conventions ?? {});
  const differences = declared.flatMap(([convention, says]) => {
    const here = Object.hasOwn(conventions, convention) ? conventions[convention] : undefined;
    if (here === undefined || here === says) return [];
    return [`${convention}: the policy says ${show(says)}, the task ${name} says ${show(here)}`];
  });
  if (differences.length === 0) return;
  const error = new StopRunError(
    "convention_mismatch",
    `the policy's conventions are not the benchmark's\n  ${differences.join("\n  ")}`,
    {
      where: connection.label,
      hint: "choose another task or control mode in the benchmark, or convert inside the policy and declare what it then takes and gives",
    },
  );
  connection.refuse(error);
  throw error;
}
