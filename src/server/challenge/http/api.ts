import { Hono } from "hono";
import { z } from "zod";
import type { ChallengeCore, ChallengeDeps } from "../core.js";
import type { Submission, Team } from "../store/store.js";
import { readBody } from "./body.js";
import type { ChallengeContext, ChallengeHono, Environment } from "./context.js";
import type { Leaderboards } from "./leaderboards.js";
import type { Live } from "./live.js";
import {
  badRequest,
  checked,
  unauthorised,
  unknownAddress,
  unknownSubmission,
} from "./problems.js";
import { checkOrigin } from "./session-cookie.js";
import type { TeamView } from "./team-view.js";
import { challengeDocument } from "./views.js";

export interface ApiOptions extends ChallengeDeps {
  readonly leaderboards: Leaderboards;
  readonly teams: TeamView;
  readonly live: Live;
}

const newSubmission = z.strictObject({
  phase: z.string().min(1).max(64),
  name: z.string().max(100, "has more than 100 characters").default(""),
});

/** Routes of the JSON documents under `/api`. */
export function apiRoutes(options: ApiOptions): ChallengeHono {
  const { loaded, leaderboards, teams, live, core } = options;
  const app: ChallengeHono = new Hono<Environment>();
  app.use(async (c, next) => {
    await next();
    c.res.headers.set("Cache-Control", "no-store");
  });
  app.get("/challenge.json", (c) => c.json(challengeDocument(loaded, new Date())));
  app.get("/phases/:phase/leaderboard.json", async (c) => {
    const phase = loaded.phase(c.req.param("phase"));
    if (!phase) throw unknownAddress();
    return c.json(await leaderboards.document(phase));
  });
  app.get("/live", (c) => live.stream(c));
  app.get("/team.json", async (c) => c.json(await teams.document(teamOf(c))));
  app.get("/submissions/:file{[^/]+\\.json}", async (c) => {
    const submission = await teams.own(teamOf(c), c.req.param("file").slice(0, -".json".length));
    if (!submission) throw unknownSubmission();
    return c.json(await teams.describe(submission));
  });
  app.post("/submissions", async (c) => {
    const team = teamOf(c);
    checkOrigin(c);
    const { phase, name } = checked(newSubmission, await bodyOf(c));
    if (!loaded.phase(phase)) throw unknownAddress();
    const submission = await core.open(team, phase, name, c.get("caller"));
    return c.json(await teams.describe(submission), 201);
  });
  app.post("/submissions/:id/cancel", async (c) => {
    const team = teamOf(c);
    checkOrigin(c);
    const submission = await teams.own(team, c.req.param("id"));
    if (!submission) throw unknownSubmission();
    const ended = await cancelOwn(core, submission);
    return c.json(await teams.describe(ended ?? submission));
  });
  return app;
}

/** Cancels a submission on its team's request; undefined if it was already over. */
export function cancelOwn(
  core: ChallengeCore,
  { id, teamName }: Submission,
): Promise<Submission | undefined> {
  return core.cancel(id, `team:${teamName}`, "cancelled by the team");
}

function teamOf(c: ChallengeContext): Team {
  const team = c.get("team");
  if (!team) throw unauthorised();
  return team;
}

async function bodyOf(c: ChallengeContext): Promise<unknown> {
  const text = await readBody(c);
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("the body is not valid JSON", 'send {"phase": "...", "name": "..."}');
  }
}
