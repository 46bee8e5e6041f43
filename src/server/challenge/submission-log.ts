import type { Auditor } from "./auditor.js";
import type { TeamAgent } from "./gateway/team-agent.js";
import type { AuditEvent, Submission } from "./store/store.js";

/** Writes the audit entries of submissions. */
export class SubmissionLog {
  constructor(private readonly auditor: Pick<Auditor, "add">) {}

  /** @param remote address of the team's client; absent if the server acted */
  add(
    event: AuditEvent,
    about: Submission | TeamAgent,
    details: Readonly<Record<string, unknown>>,
    remote?: string,
  ): void {
    const [teamName, teamId, submissionId] =
      "team" in about
        ? [about.team.name, about.team.id, about.submissionId]
        : [about.teamName, about.teamId, about.id];
    const actor = remote === undefined ? "server" : `team:${teamName}`;
    this.auditor.add({ event, actor, teamId, submissionId, remote, details });
  }
}
