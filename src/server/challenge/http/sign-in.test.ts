import { beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../view/documents.js";
import { type Member, makeSite, type Site } from "./site.fixture.js";

let site: Site;
let red: Member;

beforeAll(async () => {
  site = await makeSite();
  red = await site.join("Red <b>Robots</b>");
});

async function json<T>(path: string, init: RequestInit = {}): Promise<T & { status: number }> {
  const response = await fetch(`${site.base}${path}`, init);
  return { ...((await response.json()) as T), status: response.status };
}

describe("signing in", () => {
  const signIn = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${site.base}/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ token }),
      headers,
      redirect: "manual",
    });

  it("signing in stores the token in a cookie that scripts and other sites cannot use", async () => {
    const response = await signIn(red.token);
    expect(response.status).toBe(303);
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const page = await fetch(`${site.base}/team`, {
      headers: { Cookie: cookie.split(";")[0] ?? "" },
    });
    expect(await page.text()).toContain("Red &lt;b&gt;Robots");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  it("signing in rejects and audits an invalid token, and sets no cookie", async () => {
    const response = await signIn(`rec_${"0".repeat(12)}_${"0".repeat(64)}`);
    expect([response.status, response.headers.get("set-cookie")]).toEqual([401, null]);
    const refused = async () => {
      const log = await site.store.auditLog({ event: "http_refused" });
      return log.map(({ details }) => details?.path);
    };
    await expect.poll(refused).toContain("/sign-in");
  });

  it("signing in is rejected, like every other change, if a page of another site sends it", async () => {
    const most = { total: 9, per_day: 9 };
    const { id } = await site.store.openSubmission({ teamId: red.team.id, phase: "test", most });
    const paths = ["/sign-in", "/sign-out", "/api/submissions", `/api/submissions/${id}/cancel`];
    const foreign = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site", Origin: site.base },
    ];
    for (const path of paths) {
      for (const told of foreign) {
        const headers = { Cookie: `robot_eval_team=${red.token}`, ...told };
        const answer = await json<Problem>(path, { method: "POST", headers, body: "{}" });
        expect([path, told, answer.code]).toEqual([path, told, "wrong_origin"]);
      }
    }
    const own = { headers: { Origin: site.base, Cookie: `robot_eval_team=${red.token}` } };
    const { code } = await json<Problem>("/api/submissions", {
      method: "POST",
      body: "{}",
      ...own,
    });
    expect(code).toBe("bad_request");
  });

  it("a sign-in ends at once when the token is revoked or the team is disabled", async () => {
    const team = await site.join("Short-lived");
    expect((await json("/api/team.json", { headers: team.headers })).status).toBe(200);
    await site.store.setDisabled(team.team.id, true);
    expect((await json("/api/team.json", { headers: team.headers })).status).toBe(401);
    await site.store.setDisabled(team.team.id, false);
    await site.store.revokeToken(team.token.split("_")[1] ?? "");
    expect((await json("/api/team.json", { headers: team.headers })).status).toBe(401);
  });
});
