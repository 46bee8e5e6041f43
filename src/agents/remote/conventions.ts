import type { PolicyConnection } from "../../api/session/connection.js";
import { StopRunError, show } from "../../core/errors.js";
import type { AgentTask } from "../../core/interfaces/agent.js";

/**
 * Compares the policy's conventions with the task's. A policy with other conventions would receive and send wrong
 * numbers without any error, so the run is rejected and the policy is sent the reason. Conventions that the task does
 * not declare are ignored.
 */
export function checkConventions(
  connection: Pick<PolicyConnection, "capabilities" | "label" | "refuse">,
  { name, conventions }: Pick<AgentTask, "name" | "conventions">,
): void {
  const declared = Object.entries(connection.capabilities.conventions ?? {});
  const differences = declared.flatMap(([convention, says]) => {
    const here = Object.hasOwn(conventions, convention) ? conventions[convention] : undefined;
    if (here === undefined || here === says) return [];
    return [
      `${convention}: the policy declares ${show(says)}, the task ${name} declares ${show(here)}`,
    ];
  });
  if (differences.length === 0) return;
  const error = new StopRunError(
    "convention_mismatch",
    `the policy's conventions differ from the benchmark's\n  ${differences.join("\n  ")}`,
    {
      where: connection.label,
      hint: "choose another task or control mode in the benchmark, or convert inside the policy and declare the converted conventions",
    },
  );
  connection.refuse(error);
  throw error;
}
