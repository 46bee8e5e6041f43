import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { LoadedPhase } from "../load.js";
import { ASSETS } from "../pages/assets.js";
import type { PageContext } from "../pages/context.js";
import { leaderboardPage } from "../pages/leaderboard.js";
import { acceptedLanguage, LANGUAGES, type Language, translator } from "../pages/messages/index.js";
import { phasePage } from "../pages/phase.js";
import { problemPage, signInPage } from "../pages/sign-in.js";
import { teamPage } from "../pages/team.js";
import { type ApiOptions, cancelOwn } from "./api.js";
import { readBody } from "./body.js";
import type { ChallengeContext, ChallengeHono, Environment } from "./context.js";
import { type ProblemStatus, unknownAddress, unknownSubmission } from "./problems.js";
import { TooManyRequests } from "./request-guard.js";
import { checkOrigin, forgetTeam, rememberTeam } from "./session-cookie.js";
import { phaseDocument } from "./views.js";

export interface PageOptions
  extends Pick<ApiOptions, "loaded" | "store" | "core" | "leaderboards" | "teams"> {
  readonly refused: (c: ChallengeContext, why: string) => void;
}

const LANGUAGE_COOKIE = "robot_eval_lang";
const THEME_COOKIE = "robot_eval_theme";
const YEAR_S = 31_536_000;

/** Routes of the HTML pages. */
export function pageRoutes(options: PageOptions): ChallengeHono {
  const { loaded, store, core, leaderboards, teams } = options;
  const app: ChallengeHono = new Hono<Environment>();
  for (const { path, type, body } of ASSETS) {
    const headers = { "Content-Type": type, "Cache-Control": "max-age=31536000, immutable" };
    app.get(path, (c) => c.body(body, 200, headers));
  }
  const phaseAt = (c: ChallengeContext): LoadedPhase => {
    const phase = loaded.phase(c.req.param("phase") ?? "");
    if (!phase) throw unknownAddress();
    return phase;
  };
  const table = async (c: ChallengeContext, phase: LoadedPhase) =>
    page(c, leaderboardPage(pageContext(c, options), await leaderboards.document(phase)));
  app.get("/", (c) => table(c, currentPhase(options)));
  app.get("/phases/:phase", (c) => table(c, phaseAt(c)));
  app.get("/phases/:phase/about", (c) =>
    page(c, phasePage(pageContext(c, options), phaseDocument(phaseAt(c), new Date()))),
  );
  app.get("/team", async (c) => {
    const team = c.get("team");
    const context = pageContext(c, options);
    if (!team) return page(c, signInPage(context, false));
    return page(c, teamPage(context, await teams.document(team)));
  });
  app.post("/sign-in", async (c) => {
    checkOrigin(c);
    const token = new URLSearchParams(await readBody(c)).get("token")?.trim() ?? "";
    const team = await store.authenticate(token);
    if (!team) {
      options.refused(c, "wrong_token");
      return page(c, signInPage(pageContext(c, options), true), 401);
    }
    rememberTeam(c, token);
    return c.redirect("/team", 303);
  });
  app.post("/team/submissions/:id/cancel", async (c) => {
    checkOrigin(c);
    const team = c.get("team");
    const submission = team && (await teams.own(team, c.req.param("id")));
    if (team && !submission) throw unknownSubmission();
    // The team page then shows the state, or the sign-in form.
    if (submission) await cancelOwn(core, submission);
    return c.redirect("/team", 303);
  });
  app.post("/sign-out", (c) => {
    checkOrigin(c);
    forgetTeam(c);
    return c.redirect("/", 303);
  });
  return app;
}

/** Renders an error as a page. */
export function problemAnswer(
  c: ChallengeContext,
  options: PageOptions,
  error: unknown,
  status: ProblemStatus,
): Response {
  const context = pageContext(c, options);
  const { t } = context;
  const text =
    error instanceof TooManyRequests
      ? t("too_many", { seconds: error.seconds })
      : status === 404
        ? t("not_found")
        : status === 500
          ? t("internal")
          : status === 503
            ? t("unavailable")
            : error instanceof Error
              ? error.message
              : "";
  return page(c, problemPage(context, text), status);
}

function page(c: ChallengeContext, text: string, status: ProblemStatus | 200 = 200): Response {
  return c.html(text, status, {
    "Cache-Control": "no-store",
    Vary: "Accept-Language, Cookie",
  }) as Response;
}

/** The open phase; else the next one to open; else the last. */
function currentPhase({ loaded }: PageOptions): LoadedPhase {
  const now = new Date();
  const state = (wanted: string) =>
    loaded.phases.find((phase) => phaseDocument(phase, now).state === wanted);
  const phase = state("open") ?? state("before") ?? loaded.phases.at(-1);
  if (!phase) throw unknownAddress();
  return phase;
}

function pageContext(c: ChallengeContext, { loaded }: PageOptions): PageContext {
  const language = languageOf(c);
  const theme = getCookie(c, THEME_COOKIE);
  const now = new Date();
  return {
    t: translator(language),
    language,
    theme: theme === "dark" || theme === "light" ? theme : undefined,
    challenge: loaded.config.name,
    description: loaded.config.description,
    phases: loaded.phases.map((phase) => phaseDocument(phase, now)),
    path: c.req.method === "GET" ? c.req.path : "/team",
    agentAddress: `${c.get("secure") ? "wss" : "ws"}://${c.req.header("Host") ?? ""}/agent`,
    team: c.get("team")?.name,
  };
}

/** The language in the URL, which is remembered; else the remembered one; else the browser's. */
function languageOf(c: ChallengeContext): Language {
  const known = (text: string | undefined) => LANGUAGES.find((language) => language === text);
  const asked = known(c.req.query("lang"));
  if (asked !== undefined) {
    setCookie(c, LANGUAGE_COOKIE, asked, { path: "/", maxAge: YEAR_S, sameSite: "Lax" });
    return asked;
  }
  return known(getCookie(c, LANGUAGE_COOKIE)) ?? acceptedLanguage(c.req.header("Accept-Language"));
}
