import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedDatabase, startEmbedded } from "../../src/cluster/database/embedded.js";
import { parseChallenge } from "../../src/server/challenge/load.js";
import { type ChallengeServer, createChallengeServer } from "../../src/server/challenge/server.js";
import type { ChallengeStore } from "../../src/server/challenge/store/postgres-store.js";
import { openChallengeStore } from "../../src/server/challenge/store/postgres-store.js";
import type { Problem } from "../../src/server/view/documents.js";
import { makeWorld, temporaryFolder } from "../support/cli.js";
import { selfSigned } from "../support/self-signed.js";

const ADMIN = "0123456789abcdef0123456789abcdef";
const world = makeWorld();
let database: EmbeddedDatabase;
let store: ChallengeStore;
let running: ChallengeServer | undefined;

beforeAll(async () => {
  database = await startEmbedded(temporaryFolder());
  store = await openChallengeStore(database.url);
});

afterAll(async () => {
  await running?.close();
  await store.close();
  await database.stop();
});

/** Starts a challenge server with agent gateway and additional settings, after closing the previous one. */
async function serve(more = "", host = "127.0.0.1"): Promise<ChallengeServer> {
  await running?.close();
  running = undefined;
  const file = world.write(
    "challenge.yaml",
    `name: e2e
phases:
  - {name: test, benchmark: benchmark.yaml, metrics: [success], leaderboard: success}
  - {name: over, benchmark: benchmark.yaml, metrics: [success], leaderboard: success, closes: "2020-01-01T00:00:00Z"}
listen: {host: "${host}", port: 0}
database: ${database.url}
storage: ${temporaryFolder()}
${more}`,
  );
  const loaded = parseChallenge(readFileSync(file, "utf8"), file);
  running = await createChallengeServer({ loaded, onFault: (error) => faults.push(error) });
  return running;
}

const faults: unknown[] = [];

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request unchanged; `fetch` and browsers would reject some of these headers. */
function ask(
  url: string,
  path: string,
  options: RequestOptions & { body?: string; ca?: string } = {},
) {
  const { hostname, port, protocol } = new URL(url);
  const { body, ...rest } = options;
  const send = protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise<Answer>((resolve, reject) => {
    const request = send({ hostname, port, path, agent: false, ...rest }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, text }),
      );
    });
    request.on("error", reject);
    if (body !== undefined) request.write(body);
    request.end();
  });
}

async function newTeam(name: string) {
  const team = await store.createTeam({ name });
  const { token } = await store.issueToken(team.id);
  return { team, token, headers: { Authorization: `Bearer ${token}` } };
}

const problemOf = ({ text }: Answer) => JSON.parse(text) as Problem;

describe("a challenge server over TLS", () => {
  const mine = selfSigned();
  const tls = (key = mine.key) => {
    world.write("cert.pem", mine.cert);
    world.write("key.pem", key);
    return "tls: {cert: cert.pem, key: key.pem}\n";
  };

  test("a challenge server over TLS serves pages with HSTS and a Secure cookie, and answers no plain HTTP", async () => {
    const { url, agentUrl } = await serve(tls());
    expect(url).toMatch(/^https:/);
    expect(agentUrl).toMatch(/^wss:/);
    const page = await ask(url, "/", { ca: mine.cert });
    expect(page.status).toBe(200);
    expect(page.headers["strict-transport-security"]).toMatch(/^max-age=\d{7,}/);
    const { token } = await newTeam("TLS");
    const signedIn = await ask(url, "/sign-in", {
      method: "POST",
      ca: mine.cert,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `token=${token}`,
    });
    expect(signedIn.status).toBe(303);
    const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-robot_eval_team=.*Secure/);
    await expect(ask(url.replace("https", "http"), "/")).rejects.toThrow();
    await expect(ask(url, "/")).rejects.toThrow(/self.signed/i);
  });

  test("a reload applies a new certificate and the new end of a phase", async () => {
    const server = await serve(tls());
    const { url } = server;
    const next = selfSigned();
    world.write("cert.pem", next.cert);
    await expect(server.reload()).rejects.toMatchObject({ code: "tls_mismatch" });
    expect((await ask(url, "/", { ca: mine.cert })).status).toBe(200);
    world.write("key.pem", next.key);
    const file = readFileSync(`${world.root}/challenge.yaml`, "utf8");
    world.write(
      "challenge.yaml",
      file.replace("{name: test,", '{name: test, closes: "2021-01-01T00:00:00Z",'),
    );
    await server.reload();
    const told = await ask(url, "/api/challenge.json", { ca: next.cert });
    expect(JSON.parse(told.text).phases[0]).toMatchObject({ name: "test", state: "closed" });
    await expect(ask(url, "/", { ca: mine.cert })).rejects.toThrow();
  });

  test("the server does not start with the key of another certificate", async () => {
    await expect(serve(tls(selfSigned().key))).rejects.toMatchObject({ code: "tls_mismatch" });
  });

  test("the server requires TLS or a trusted proxy on an address beyond loopback", async () => {
    await expect(serve("", "0.0.0.0")).rejects.toMatchObject({
      code: "tls_required",
      hint: expect.stringContaining("trust_proxy"),
    });
    const { port } = await serve('trust_proxy: ["127.0.0.1"]\n', "0.0.0.0");
    const url = `http://127.0.0.1:${port}`;
    const without = await ask(url, "/api/team.json");
    expect([without.status, problemOf(without).code]).toEqual([401, "unauthorised"]);
    const proxied = { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https" };
    const page = await ask(url, "/", { headers: { ...proxied, Host: "challenge.example" } });
    expect(page.status).toBe(200);
    expect(page.headers["strict-transport-security"]).toBeDefined();
  });
});

describe("HTTP rate limits", () => {
  test("rate limits answer 429 with Retry-After, ignore X-Forwarded-For, and bound the audit entries", async () => {
    const { url } = await serve("limits: {requests_per_minute: 20}\n");
    const answers: Answer[] = [];
    for (let i = 0; i < 15; i++) {
      const headers = { "X-Forwarded-For": `198.51.100.${i}` };
      answers.push(await ask(url, "/api/challenge.json", { headers }));
    }
    expect(answers.filter(({ status }) => status === 200).length).toBe(10);
    const last = answers.at(-1);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
    expect(last && problemOf(last).code).toBe("too_many");
    const page = await ask(url, "/", { headers: { Accept: "text/html" } });
    expect([page.status, page.text]).toEqual([429, expect.stringContaining("Too many requests")]);
    await expect
      .poll(async () => (await store.auditLog({ event: "limit_hit" })).at(0))
      .toMatchObject({ actor: "anonymous", remote: "127.0.0.1" });
    // The audit log has at most ten `limit_hit` entries per minute and address.
    await Promise.all(Array.from({ length: 100 }, () => ask(url, "/")));
    expect((await store.auditLog({ event: "limit_hit", limit: 1000 })).length).toBeLessThanOrEqual(
      10,
    );
  });

  test("rate limits apply per client address behind a trusted proxy, and per team over all its addresses", async () => {
    const { url } = await serve('limits: {requests_per_minute: 20}\ntrust_proxy: ["127.0.0.1"]\n');
    const from = (address: string, headers = {}) =>
      ask(url, "/api/challenge.json", { headers: { "X-Forwarded-For": address, ...headers } });
    for (let i = 0; i < 12; i++) await from("203.0.113.1");
    expect((await from("203.0.113.1")).status).toBe(429);
    expect((await from("10.1.1.1, 203.0.113.1")).status).toBe(429);
    expect((await from("203.0.113.2")).status).toBe(200);
    const flooding = await newTeam("Flooding");
    const calm = await newTeam("Calm");
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 12; i++) {
      statuses.push((await from(`198.51.100.${i}`, flooding.headers)).status);
    }
    expect(statuses.slice(0, 10).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await from("198.51.100.200", calm.headers)).status).toBe(200);
  });
});

describe("invalid HTTP requests", () => {
  test("requests with too large a body or header are rejected", async () => {
    const { url } = await serve();
    const { headers } = await newTeam("Large");
    const body = JSON.stringify({ phase: "test", name: "x".repeat(200_000) });
    const post = {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body,
    };
    const chunked = await ask(url, "/api/submissions", post);
    expect([chunked.status, problemOf(chunked).code]).toEqual([413, "too_large"]);
    const told = { ...post.headers, "Content-Length": String(Buffer.byteLength(body)) };
    const whole = await ask(url, "/api/submissions", { ...post, headers: told });
    expect(whole.status).toBe(413);
    // The limit also holds for routes that ignore the body.
    expect((await ask(url, "/sign-out", { ...post, headers: told })).status).toBe(413);
    const long = await ask(url, "/", { headers: { "X-Long": "x".repeat(100_000) } });
    expect(long.status).toBe(431);
    const token = await ask(url, "/api/team.json", {
      headers: { Authorization: `Bearer ${"x".repeat(10_000)}` },
    });
    expect(token.status).toBe(401);
    expect((await ask(url, "/healthz")).status).toBe(200);
  });

  test("bytes that are not HTTP get a 400, and other connections are not affected", async () => {
    const { url, port } = await serve();
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("\x00\xff not http\r\n\r\n"));
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect((await ask(url, "/")).status).toBe(200);
  });
});

describe("teams", () => {
  test("a team can only submit to open phases, and cannot read or cancel a submission of another team", async () => {
    const { url } = await serve();
    const red = await newTeam("Red");
    const blue = await newTeam("Blue");
    const post = (path: string, team: { headers: object }, body: object) =>
      ask(url, path, {
        method: "POST",
        headers: { ...team.headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const opened = await post("/api/submissions", red, { phase: "test", name: "one" });
    expect(opened.status).toBe(201);
    const { id } = JSON.parse(opened.text) as { id: string };
    const closed = await post("/api/submissions", red, { phase: "over" });
    expect([closed.status, problemOf(closed).code]).toEqual([403, "phase_closed"]);
    for (const path of [`/api/submissions/${id}/cancel`, "/api/submissions/x/cancel"]) {
      expect((await post(path, blue, {})).status).toBe(404);
    }
    expect((await ask(url, `/api/submissions/${id}.json`, blue)).status).toBe(404);
    expect((await ask(url, `/api/submissions/${id}.json`)).status).toBe(401);
    const mine = await ask(url, "/api/team.json", blue);
    expect(mine.text).not.toContain(id);
    expect((await store.submission(id))?.state).toBe("waiting_for_agent");
    const cancelled = await post(`/api/submissions/${id}/cancel`, red, {});
    expect(JSON.parse(cancelled.text)).toMatchObject({ id, state: "cancelled" });
  });
});

describe("organisers", () => {
  test("audit log and metrics can be read with the admin token only", async () => {
    process.env.ROBOT_EVAL_ADMIN_TOKEN = ADMIN;
    const { url } = await serve();
    delete process.env.ROBOT_EVAL_ADMIN_TOKEN;
    const { headers } = await newTeam("Curious");
    for (const path of ["/api/admin/audit.json", "/metrics"]) {
      expect((await ask(url, path)).status).toBe(401);
      expect((await ask(url, path, { headers })).status).toBe(401);
      const wrong = { Authorization: `Bearer ${ADMIN.slice(1)}0` };
      expect((await ask(url, path, { headers: wrong })).status).toBe(401);
    }
    const why = async () =>
      (await store.auditLog({ event: "http_refused" })).map(({ details }) => details?.why);
    await expect.poll(why).toContain("wrong_admin_token");
    const admin = { headers: { Authorization: `Bearer ${ADMIN}` } };
    const log = JSON.parse((await ask(url, "/api/admin/audit.json?limit=2", admin)).text);
    expect(log.entries.length).toBe(2);
    const next = await ask(url, `/api/admin/audit.json?limit=2&before=${log.next}`, admin);
    expect(JSON.parse(next.text).entries[0].id).toBeLessThan(log.entries[1].id);
    expect((await ask(url, "/api/admin/audit.json?event=junk", admin)).status).toBe(400);
    const metrics = await ask(url, "/metrics", admin);
    expect(metrics.text).toMatch(/^robot_eval_challenge_running 0$/m);
    expect(metrics.text).not.toContain("Curious");
    // The admin token is not valid as a team token.
    expect((await ask(url, "/api/team.json", admin)).status).toBe(401);
  });

  test("the server does not start with a short admin token", async () => {
    process.env.ROBOT_EVAL_ADMIN_TOKEN = "short";
    await expect(serve()).rejects.toMatchObject({ code: "bad_token" });
    delete process.env.ROBOT_EVAL_ADMIN_TOKEN;
  });

  test("the server does not start on a queue without a long relay token", async () => {
    const before = process.env.ROBOT_EVAL_POLICY_TOKEN;
    process.env.ROBOT_EVAL_POLICY_TOKEN = "short";
    await expect(serve("evaluate_on: queue\n")).rejects.toMatchObject({ code: "no_relay_token" });
    delete process.env.ROBOT_EVAL_POLICY_TOKEN;
    await expect(serve("evaluate_on: queue\n")).rejects.toMatchObject({ code: "no_relay_token" });
    if (before !== undefined) process.env.ROBOT_EVAL_POLICY_TOKEN = before;
  });

  test("the tests of this file caused no internal server error", () => {
    expect(faults).toEqual([]);
  });
});
