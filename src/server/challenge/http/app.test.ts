import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../view/documents.js";
import type { LeaderboardDocument, SubmissionDocument, TeamDocument } from "./documents.js";
import { attempts, type Member, makeSite, type Site } from "./site.fixture.js";

let site: Site;
let [red, blue]: Member[] = [];

beforeAll(async () => {
  site = await makeSite();
  red = await site.join("Red <b>Robots</b>", "University of Somewhere");
  blue = await site.join("Blue");
  await site.finish(red, attempts(60, 0.8, 1), {
    name: "first",
    policy: { name: "<i>openvla</i>", checkpoint: "step-1000" },
  });
  await site.finish(red, attempts(60, 0.5, 2), { name: "worse" });
  await site.finish(blue, attempts(60, 0.3, 3));
});

const as = (member: Member | undefined) => ({ headers: member?.headers ?? {} });

async function json<T>(path: string, init: RequestInit = {}): Promise<T & { status: number }> {
  const response = await fetch(`${site.base}${path}`, init);
  return { ...((await response.json()) as T), status: response.status };
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  json<Problem & SubmissionDocument>(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });

describe("the leaderboard", () => {
  it("the leaderboard lists the best submission of each team with its interval and comparison", async () => {
    const { rows, tests, phase } = await json<LeaderboardDocument>(
      "/api/phases/test/leaderboard.json",
    );
    expect(phase).toMatchObject({ name: "test", state: "open", leaderboard: "success" });
    expect(rows.map(({ team, rank, attempts: n }) => [team, rank, n])).toEqual([
      ["Red <b>Robots</b>", 1, 2],
      ["Blue", 2, 1],
    ]);
    expect(rows[0]).toMatchObject({ submission: "first", above: null });
    expect(rows[0]?.scores.success).toMatchObject({ n: 60, ci_method: "wilson", unit: "1" });
    expect(rows[1]?.above).toMatchObject({ n: 60, test: "mcnemar_score", distinguishable: true });
    expect(tests).toBe(1);
  });

  it("the leaderboard shows what the policy of a team declared, escaped", async () => {
    const { rows } = await json<LeaderboardDocument>("/api/phases/test/leaderboard.json");
    expect(rows.map(({ policy }) => policy)).toEqual(["<i>openvla</i>, checkpoint step-1000", ""]);
    const page = await (await fetch(`${site.base}/phases/test`)).text();
    expect(page).toContain("&lt;i&gt;openvla&lt;/i&gt;, checkpoint step-1000");
    expect(page).not.toContain("<i>openvla");
  });

  it("the leaderboard is public and reveals no single episodes, runs, seeds or tokens", async () => {
    const paths = [
      "/api/challenge.json",
      "/api/phases/test/leaderboard.json",
      "/",
      "/phases/test/about",
    ];
    for (const path of [...paths, "/phases/practice", "/team"]) {
      const response = await fetch(`${site.base}${path}`);
      expect(response.status, path).toBe(200);
      const text = await response.text();
      expect(text).not.toMatch(/secret|vln\/|"hall|seed"|min"|max"|a-run|rec_|run_dir|episode_key/);
    }
  });

  it("the leaderboard escapes names on its page", async () => {
    const text = await (await fetch(`${site.base}/phases/test`)).text();
    expect(text).toContain("Red &lt;b&gt;Robots&lt;/b&gt;");
    expect(text).not.toContain("<b>Robots");
  });

  it("the leaderboard uses the browser language until the reader chooses another", async () => {
    const asked = { headers: { "Accept-Language": "zh-CN,zh;q=0.9" } };
    expect(await (await fetch(`${site.base}/`, asked)).text()).toContain("排行榜");
    const chosen = await fetch(`${site.base}/?lang=en`, asked);
    expect(chosen.headers.get("set-cookie")).toContain("robot_eval_lang=en");
    expect(await chosen.text()).toContain("Leaderboard");
  });
});

describe("a team", () => {
  it("a team sees its own submissions, with results after they are complete", async () => {
    const { team, submissions, quotas } = await json<TeamDocument>("/api/team.json", as(red));
    expect(team).toBe("Red <b>Robots</b>");
    expect(submissions.map(({ name, state }) => [name, state])).toEqual([
      ["worse", "done"],
      ["first", "done"],
    ]);
    expect(submissions[0]?.scores?.spl).toMatchObject({ n: 60 });
    expect(quotas[0]).toEqual({ phase: "test", used: 2, total: 4, used_today: 2, per_day: 3 });
    const text = JSON.stringify(submissions);
    expect(text).not.toMatch(/secret|run_dir|seed|a-run/);
  });

  it("a team gets the same 404 for a submission of another team as for an unknown one", async () => {
    const { submissions } = await json<TeamDocument>("/api/team.json", as(red));
    const id = submissions[0]?.id ?? "";
    const own = await json<SubmissionDocument>(`/api/submissions/${id}.json`, as(red));
    expect(own).toMatchObject({ status: 200, id, name: "worse" });
    const others = await json<Problem>(`/api/submissions/${id}.json`, as(blue));
    const none = await json<Problem>(
      "/api/submissions/00000000-0000-4000-8000-000000000000.json",
      as(blue),
    );
    expect(others).toEqual(none);
    expect(others).toMatchObject({ status: 404, code: "unknown_submission" });
    expect(await post(`/api/submissions/${id}/cancel`, {}, blue?.headers)).toMatchObject(none);
  });

  it("a team opens submissions up to its limit, and cancels its own", async () => {
    const opened = await post("/api/submissions", { phase: "test", name: "third" }, red?.headers);
    expect(opened).toMatchObject({ status: 201, state: "waiting_for_agent", scores: null });
    const more = await post("/api/submissions", { phase: "test" }, red?.headers);
    expect(more).toMatchObject({ status: 403, code: "quota" });
    const ended = await post(`/api/submissions/${opened.id}/cancel`, {}, red?.headers);
    expect(ended).toMatchObject({ status: 200, state: "cancelled" });
  });

  it("a team cancels its own submissions on its page and no others", async () => {
    const { id } = await post(
      "/api/submissions",
      { phase: "test", name: "by hand" },
      blue?.headers,
    );
    const cancel = (member: Member | undefined) =>
      fetch(`${site.base}/team/submissions/${id}/cancel`, {
        ...{ method: "POST", redirect: "manual", headers: member?.headers ?? {} },
      });
    const page = async () => (await fetch(`${site.base}/team`, as(blue))).text();
    expect(await page()).toContain(`/agent?submission=${id}`);
    expect((await cancel(red)).status).toBe(404);
    expect((await cancel(undefined)).status).toBe(303);
    expect(await page()).toContain(`/team/submissions/${id}/cancel`);
    expect((await cancel(blue)).status).toBe(303);
    expect(await page()).not.toContain(`/team/submissions/${id}/cancel`);
    const told = await json<SubmissionDocument>(`/api/submissions/${id}.json`, as(blue));
    expect(told).toMatchObject({ state: "cancelled", reason: "cancelled by the team" });
  });

  it("a team sees when a closed phase ended, and no remaining tries", async () => {
    const text = await (await fetch(`${site.base}/team`, as(red))).text();
    expect(text.match(/left today/g)).toHaveLength(1);
    expect(text).toMatch(/closed <time datetime="2020-01-01T00:00:00Z">/);
  });

  it.each([
    ["not json", "the body is not valid JSON"],
    [{}, "phase"],
    [{ phase: "test", name: "x".repeat(200) }, "name"],
    [{ phase: "test", extra: 1 }, "extra"],
  ])("a team gets the reason why %j is rejected", async (body, what) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers = { ...blue?.headers };
    const answer = await json<Problem>("/api/submissions", { method: "POST", body: text, headers });
    expect(answer).toMatchObject({ status: 400, code: "bad_request" });
    expect(answer.message).toContain(what);
  });

  it("a team gets live updates of its own submissions only", async () => {
    const events = await listenTo(red);
    const strangers = await listenTo(undefined);
    const own = await site.store.submissions({ teamId: red?.team.id });
    const others = await site.store.submissions({ teamId: blue?.team.id });
    for (const submission of [...own, ...others]) site.core.changed(submission);
    await expect.poll(() => events.seen.length, { timeout: 10_000 }).toBe(own.length);
    expect(events.seen.join()).not.toContain(others[0]?.id);
    expect(events.seen.join()).not.toMatch(/secret|run_dir/);
    expect(strangers.seen).toEqual([]);
    await site.finish(blue as Member, attempts(60, 0.31, 4));
    await expect
      .poll(() => strangers.seen, { timeout: 10_000 })
      .toEqual(['{"type":"leaderboard","phase":"test"}']);
    events.close();
    strangers.close();
  });
});

describe("the challenge server", () => {
  it("the challenge server sends the security headers with every response", async () => {
    for (const path of ["/", "/api/challenge.json", "/api/team.json", "/nothing", "/healthz"]) {
      const { headers } = await fetch(`${site.base}${path}`);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("strict-transport-security")).toBeNull();
      expect(headers.get("x-powered-by")).toBeNull();
    }
  });

  it.each([
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%2f..%2fchallenge.yaml",
    "/phases/..%2f..%2fetc",
    "/phases/%00/about",
    "/phases/test/../../challenge.yaml",
    "/api/phases/../team.json",
    "/api/phases/__proto__/leaderboard.json",
    "/api/submissions/..%2f..%2fteam.json",
    "/api/submissions/%27%20OR%201=1.json",
    "//etc/passwd",
    "/%",
  ])("the challenge server rejects %s with 404 or 401", async (path) => {
    expect(await statusOf(path)).toBe(/submissions|\.\.\/team/.test(path) ? 401 : 404);
    expect(site.faults).toEqual([]);
  });

  it("the challenge server rejects a request for another host name", async () => {
    expect(await statusOf("/", { host: "evil.example" })).toBe(400);
  });

  it("the challenge server answers 401 to an invalid token and audits it without the token", async () => {
    const wrong = `rec_${"a".repeat(12)}_${"b".repeat(64)}`;
    for (const token of [wrong, "x", red?.token.slice(0, -1) ?? "", `${red?.token}0`]) {
      const { status } = await json("/api/team.json", {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(status).toBe(401);
    }
    // Also on public routes.
    const headers = { Authorization: `Bearer ${wrong}` };
    expect((await json("/api/challenge.json", { headers })).status).toBe(401);
    await expect
      .poll(async () => (await site.store.auditLog({ event: "http_refused" })).length)
      .toBeGreaterThanOrEqual(4);
    const log = JSON.stringify(await site.store.auditLog());
    expect(log).not.toContain("b".repeat(64));
    expect(log).not.toContain(red?.token);
  });

  it("the challenge server forbids caching of responses about a team", async () => {
    const [submission] = await site.store.submissions({ teamId: red?.team.id });
    for (const path of ["/team", "/api/team.json", `/api/submissions/${submission?.id}.json`]) {
      const { status, headers } = await fetch(`${site.base}${path}`, as(red));
      expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "no-store"]);
    }
  });

  it("the challenge server trusts X-Forwarded-For only from a trusted proxy", async () => {
    const said = { "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9" };
    const { headers } = await fetch(`${site.base}/`, { headers: said });
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  it("the challenge server rejects live updates if one address has too many", async () => {
    const following = await Promise.all(Array.from({ length: 20 }, () => listenTo(undefined)));
    const { status, code } = await json<Problem>("/api/live");
    expect([status, code]).toEqual([429, "too_many"]);
    for (const one of following) one.close();
    await expect
      .poll(async () => {
        const again = new AbortController();
        const { status: now } = await fetch(`${site.base}/api/live`, { signal: again.signal });
        again.abort();
        return now;
      })
      .toBe(200);
  });

  it("the challenge server answers 413 to a large body", async () => {
    const body = JSON.stringify({ phase: "test", name: "x".repeat(100_000) });
    const answer = await post("/api/submissions", JSON.parse(body), blue?.headers);
    expect(answer).toMatchObject({ status: 413, code: "too_large" });
  });
});

describe("the organisers' routes", () => {
  it("the routes for organisers answer 404 if no administrator token is configured", async () => {
    expect(await statusOf("/api/admin/audit.json")).toBe(404);
    expect(await statusOf("/metrics")).toBe(401);
    expect(await statusOf("/healthz")).toBe(200);
    expect(await statusOf("/readyz")).toBe(200);
  });
});

/** Sends a request that `fetch` would normalise. */
function statusOf(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const { hostname, port } = new URL(site.base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

async function listenTo(member: Member | undefined) {
  const controller = new AbortController();
  const response = await fetch(`${site.base}/api/live`, {
    ...as(member),
    signal: controller.signal,
  });
  const seen: string[] = [];
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      for (const [, data = ""] of decoder.decode(next.value).matchAll(/^data: (.*)$/gm))
        seen.push(data);
    }
  };
  read().catch(() => {});
  return { seen, close: () => controller.abort() };
}
