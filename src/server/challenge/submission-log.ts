import type { Auditor } from "./auditor.js";
import type { AuditEvent, Submission } from "./store.js";
import type { TeamAgent } from "./team-agent.js";

/** What the audit log is told of submissions. */
export class SubmissionLog {
  readonly #auditor: Auditor;

  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  /** @param remote from where the team did it; absent where the server did */
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
    this.#auditor.add({ event, actor, teamId, submissionId, remote, details });
  }
}
