import { ConfigError } from "../../core/errors.js";
import type { Submission } from "../../server/challenge/store.js";
import { table } from "../output.js";
import {
  type Answer,
  type ChallengeFlags,
  type Desk,
  needed,
  teamIdOf,
  when,
  writeDown,
} from "./desk.js";

export async function listSubmissions(desk: Desk, flags: ChallengeFlags): Promise<Answer> {
  const { store } = desk;
  const teamId = await teamIdOf(desk, flags);
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
}

/** Ends one that is not over. A server that has it under way notices within seconds. */
export async function cancelSubmission(desk: Desk, id: string | undefined, flags: ChallengeFlags) {
  const { reason = "cancelled by the organisers" } = flags;
  const open = ["waiting_for_agent", "queued", "running"] as const;
  const submission = await found(desk, id);
  const ended = await desk.store.transition(submission.id, open, "cancelled", { reason });
  if (!ended) throw notIn(submission, "it is over already", "disqualify takes a result away");
  return done(desk, "submissions cancel", ended, { reason });
}

/** Takes a result from the leaderboard. It stays in the store, and the team reads why. */
export async function disqualify(desk: Desk, id: string | undefined, flags: ChallengeFlags) {
  const why = needed(flags.reason, "--reason, which the team will read,");
  const submission = await found(desk, id);
  const reason = `disqualified: ${why}`;
  const ended = await desk.store.transition(submission.id, ["done"], "cancelled", { reason });
  if (!ended) throw notIn(submission, "it has no result", "cancel ends one that is not over");
  return done(desk, "submissions disqualify", ended, { reason });
}

/** Gives a team one of its tries back, as after a fault of the server's. */
export async function refund(desk: Desk, id: string | undefined, flags: ChallengeFlags) {
  const submission = await found(desk, id);
  await desk.store.setCounted(submission.id, false);
  return done(
    desk,
    "submissions refund",
    { ...submission, counted: false },
    { reason: flags.reason },
  );
}

async function found({ store }: Desk, id: string | undefined): Promise<Submission> {
  const wanted = needed(id, "the submission's id");
  const submission = await store.submission(wanted);
  if (submission) return submission;
  throw new ConfigError("unknown_submission", `there is no submission "${wanted}"`, {
    hint: "submissions list shows their ids",
  });
}

function notIn({ id, state }: Submission, message: string, hint: string): ConfigError {
  return new ConfigError("wrong_state", `${message} (${state})`, { where: id, hint });
}

async function done(
  { store }: Desk,
  action: string,
  submission: Submission,
  details: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { id, teamId } = submission;
  await writeDown(store, action, { teamId, submissionId: id, ...details });
  const { state, counted } = submission;
  return {
    document: shown(submission),
    text: `${id} is ${state}${counted ? "" : ", and does not count"}`,
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
