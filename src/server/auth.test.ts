import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { page, problemAt, serve } from "./serve.fixture.js";
import { createViewServer } from "./serve.js";

const TOKEN = "0123456789abcdef";

describe("a server with a token", () => {
  let base: string;
  beforeAll(async () => {
    base = await serve(temporaryFolder(), { token: TOKEN, host: "0.0.0.0" });
  });

  it("a server with a token requires a token of at least 16 characters if other machines can reach it", async () => {
    const open = { runs: temporaryFolder(), webRoot: page, port: 0, host: "0.0.0.0" };
    await expect(createViewServer(open)).rejects.toMatchObject({ code: "token_required" });
    await expect(createViewServer({ ...open, token: "short" })).rejects.toMatchObject({
      code: "bad_token",
    });
  });

  it.each(["/", "/assets/main-1.js", "/api/runs.json", "/api/live"])(
    "a server with a token rejects requests for %s without the token",
    async (path) => {
      for (const headers of [{}, { Authorization: "Bearer wrong" }, { Cookie: "token=wrong" }]) {
        expect(await problemAt(`${base}${path}`, { headers })).toMatchObject({
          status: 401,
          code: "unauthorised",
        });
      }
    },
  );

  it("a server with a token accepts the token in a header or in the URL", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect((await fetch(`${base}/api/runs.json`, { headers })).status).toBe(200);
    expect((await fetch(`${base}/?token=${TOKEN}x`)).status).toBe(401);
    const first = await fetch(`${base}/?token=${TOKEN}`);
    const cookie = first.headers.get("set-cookie") ?? "";
    expect(first.status).toBe(200);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const next = { Cookie: cookie.split(";")[0] ?? "" };
    expect((await fetch(`${base}/api/runs.json`, { headers: next })).status).toBe(200);
  });
});
