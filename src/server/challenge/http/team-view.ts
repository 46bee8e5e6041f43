import type { PhaseConfig } from "../config.js";
import type { LoadedChallenge } from "../load.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import type { Submission, Team } from "../store/store.js";
import type { QuotaDocument, SubmissionDocument, TeamDocument } from "./documents.js";
import { submissionDocument } from "./views.js";

/** Number of submissions on a team's page. */
const MOST_SUBMISSIONS = 200;

/** Documents that a team may see about itself. */
export class TeamView {
  constructor(
    private readonly loaded: LoadedChallenge,
    private readonly store: ChallengeStore,
  ) {}

  async document(team: Team): Promise<TeamDocument> {
    const found = await this.store.submissions({ teamId: team.id, limit: MOST_SUBMISSIONS });
    return {
      format: "robot-eval-team/1",
      team: team.name,
      affiliation: team.affiliation,
      quotas: await Promise.all(this.loaded.phases.map(({ config }) => this.#quota(team, config))),
      submissions: await Promise.all(found.map((submission) => this.describe(submission))),
    };
  }

  /** Undefined if the submission does not exist or belongs to another team. */
  async own(team: Team, id: string): Promise<Submission | undefined> {
    const submission = await this.store.submission(id);
    return submission?.teamId === team.id ? submission : undefined;
  }

  async describe(submission: Submission): Promise<SubmissionDocument> {
    const { id, state, phase } = submission;
    const result = state === "done" ? await this.store.result(id) : undefined;
    const metrics = this.loaded.phase(phase)?.config.metrics ?? [];
    return submissionDocument(submission, result, metrics);
  }

  async #quota(team: Team, phase: PhaseConfig): Promise<QuotaDocument> {
    const { total, today } = await this.store.usage(team.id, phase.name);
    return {
      phase: phase.name,
      used: total,
      total: phase.max_submissions.total,
      used_today: today,
      per_day: phase.max_submissions.per_day,
    };
  }
}
