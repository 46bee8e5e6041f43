import { ConfigError } from "../../core/errors.js";
import type { Submission } from "../../server/challenge/store/store.js";
import { table } from "../output.js";
import {
  type AdminAction,
  type AdminContext,
  type Answer,
  needed,
  teamIdOf,
  when,
  writeAudit,
} from "./admin-context.js";

export const listSubmissions: AdminAction = async (context, _, flags) => {
  const { store } = context;
  const teamId = await teamIdOf(context, flags);
  const found = await store.submissions({ teamId, phase: flags.phase, limit: flags.limit });
  const submissions = await Promise.all(
    found.map(async (submission) => {
      const result = await store.result(submission.id);
      return { ...shown(submission), metrics: result?.summary.aggregated_metrics ?? null };
    }),
  );
  const rows = submissions.map((one) => [
    one.id,
    one.team,
    one.phase,
    one.name,
    one.state,
    `${one.episodes.done}/${one.episodes.total ?? "?"}`,
    when(new Date(one.created_at)),
    one.counted ? "" : "not counted",
  ]);
  return {
    document: { submissions },
    text: table(["submission", "team", "phase", "name", "state", "episodes", "opened", ""], rows),
  };
};

/** Cancels a submission that has not ended. A server that runs it notices within seconds. */
export const cancelSubmission: AdminAction = async (context, id, flags) => {
  const { reason = "cancelled by the organisers" } = flags;
  const open = ["waiting_for_agent", "queued", "running"] as const;
  const submission = await found(context, id);
  const ended = await context.store.transition(submission.id, open, "cancelled", { reason });
  if (!ended) throw notIn(submission, "it has already ended", "use disqualify to remove a result");
  return done(context, "submissions cancel", ended, { reason });
};

/** Removes a result from the leaderboard. It stays in the store, with a reason for the team. */
export const disqualify: AdminAction = async (context, id, flags) => {
  const why = needed(flags.reason, "--reason, which the team will read,");
  const submission = await found(context, id);
  const reason = `disqualified: ${why}`;
  const ended = await context.store.transition(submission.id, ["done"], "cancelled", { reason });
  if (!ended)
    throw notIn(submission, "it has no result", "use cancel for a submission that has not ended");
  return done(context, "submissions disqualify", ended, { reason });
};

/** Gives a team one of its tries back, for example after a server fault. */
export const refund: AdminAction = async (context, id, { reason }) => {
  const submission = await found(context, id);
  await context.store.setCounted(submission.id, false);
  return done(context, "submissions refund", { ...submission, counted: false }, { reason });
};

async function found({ store }: AdminContext, id: string | undefined): Promise<Submission> {
  const wanted = needed(id, "the submission's id");
  const submission = await store.submission(wanted);
  if (submission) return submission;
  throw new ConfigError("unknown_submission", `unknown submission "${wanted}"`, {
    hint: "see robot-eval challenge submissions list for the ids",
  });
}

function notIn({ id, state }: Submission, message: string, hint: string): ConfigError {
  return new ConfigError("wrong_state", `${message} (${state})`, { where: id, hint });
}

async function done(
  { store }: AdminContext,
  action: string,
  submission: Submission,
  details: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { id, teamId } = submission;
  await writeAudit(store, action, { teamId, submissionId: id, ...details });
  const { state, counted } = submission;
  return {
    document: shown(submission),
    text: `${id} is ${state}${counted ? "" : " and does not count"}`,
  };
}

function shown(submission: Submission) {
  const { id, teamName, phase, name, state, counted, reason, episodes } = submission;
  return {
    ...{ id, team: teamName, phase, name, state, counted, reason, episodes },
    run_dir: submission.runDir,
    created_at: submission.createdAt.toISOString(),
    finished_at: submission.finishedAt?.toISOString() ?? null,
  };
}
