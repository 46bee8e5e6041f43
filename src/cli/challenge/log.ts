import { ConfigError } from "../../core/errors.js";
import { auditLine, phaseDocument } from "../../server/challenge/http/views.js";
import { AUDIT_EVENTS } from "../../server/challenge/store/store.js";
import { table } from "../output.js";
import { type AdminAction, teamIdOf, when } from "./admin-context.js";

/** The newest entries of the audit log, the newest last. */
export const showAudit: AdminAction = async (context, _, flags) => {
  const event = AUDIT_EVENTS.find((one) => one === flags.event);
  if (flags.event !== undefined && event === undefined) {
    throw new ConfigError("unknown_event", `unknown event "${flags.event}"`, {
      where: "--event",
      hint: `known: ${AUDIT_EVENTS.join(", ")}`,
    });
  }
  const teamId = await teamIdOf(context, flags);
  const entries = [
    ...(await context.store.auditLog({ teamId, event, limit: flags.limit })),
  ].reverse();
  const rows = entries.map((entry) => [
    when(entry.at),
    entry.event,
    entry.actor,
    entry.remote ?? "",
    entry.submissionId ?? "",
    Object.keys(entry.details ?? {}).length === 0 ? "" : JSON.stringify(entry.details),
  ]);
  return {
    document: { entries: entries.map(auditLine) },
    text: table(["at (UTC)", "event", "actor", "from", "submission", "details"], rows),
  };
};

export const listPhases: AdminAction = async ({ loaded, store }) => {
  const now = new Date();
  const phases = await Promise.all(
    loaded.phases.map(async (phase) => ({
      ...phaseDocument(phase, now),
      ranked: (await store.completeResults(phase.config.name)).length,
    })),
  );
  const rows = phases.map(({ name, state, opens, closes, leaderboard, ranked }) => [
    ...[name, state, opens ?? "", closes ?? "", leaderboard, String(ranked)],
  ]);
  return {
    document: { phases },
    text: table(["phase", "state", "opens", "closes", "sorted by", "results"], rows),
  };
};
