import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type EmbeddedDatabase, startEmbedded } from "../../src/cluster/database/embedded.js";
import { parseChallenge } from "../../src/server/challenge/load.js";
import { type ChallengeServer, createChallengeServer } from "../../src/server/challenge/server.js";
import type { ChallengeStore } from "../../src/server/challenge/store/postgres-store.js";
import { openChallengeStore } from "../../src/server/challenge/store/postgres-store.js";
import type { AuditRecord } from "../../src/server/challenge/store/store.js";
import { Rogue } from "../support/challenge.js";
import { makeWorld, temporaryFolder } from "../support/cli.js";

const WRONG = `rec_${"0".repeat(12)}_${"0".repeat(64)}`;
const HEARTBEAT = JSON.stringify({ type: "heartbeat", session_id: "", t: 1 });
const world = makeWorld();
let database: EmbeddedDatabase;
let store: ChallengeStore;
let running: ChallengeServer | undefined;
const faults: unknown[] = [];

beforeAll(async () => {
  database = await startEmbedded(temporaryFolder());
  store = await openChallengeStore(database.url);
});

afterAll(async () => {
  await running?.close();
  await store.close();
  await database.stop();
});

/** Starts a challenge server with these limits, after closing the previous one; returns its agent gateway's address. */
async function serve(limits: string): Promise<string> {
  await running?.close();
  const text = `name: door
phases:
  - { name: test, benchmark: benchmark.yaml, metrics: [success], leaderboard: success }
  - { name: over, benchmark: benchmark.yaml, metrics: [success], leaderboard: success, closes: "2020-01-01T00:00:00Z" }
listen: { port: 0 }
trust_proxy: ["127.0.0.1"]
database: ${database.url}
storage: ${temporaryFolder()}
limits: { ${limits} }
`;
  const loaded = parseChallenge(text, world.write("challenge.yaml", text));
  running = await createChallengeServer({ loaded, onFault: (fault) => faults.push(fault) });
  return running.agentUrl;
}

/** Headers of a trusted proxy, which let one machine act as many clients. */
const from = (address: string) => ({ "X-Forwarded-For": address });

/** Opens a WebSocket without sending a handshake; resolves with the HTTP status, 101 if it was upgraded. */
function openSocket(url: string, address: string): Promise<{ status: number; socket: WebSocket }> {
  const socket = new WebSocket(url, { headers: from(address) });
  return new Promise((resolve) => {
    socket.on("error", () => {});
    socket.on("open", () => resolve({ status: 101, socket }));
    socket.on("unexpected-response", (_, { statusCode = 0 }) =>
      resolve({ status: statusCode, socket }),
    );
  });
}

async function refusal(url: string, address: string, token = WRONG): Promise<unknown> {
  const rogue = new Rogue(url, from(address));
  await rogue.hello(token);
  const { code } = await rogue.until("error");
  await rogue.closed;
  return code;
}

async function audited(is: (entry: AuditRecord) => boolean): Promise<readonly AuditRecord[]> {
  const log = () => store.auditLog({ limit: 1000 });
  await expect.poll(async () => (await log()).some(is), { timeout: 10_000 }).toBe(true);
  return log();
}

describe("the agent gateway", () => {
  it("the agent gateway blocks an address after too many rejections, and no other", async () => {
    const url = await serve("refusals_per_minute: 3");
    for (let i = 0; i < 3; i++) expect(await refusal(url, "203.0.113.1")).toBe("unauthorized");
    expect((await openSocket(url, "203.0.113.1")).status).toBe(429);
    expect(await refusal(url, "203.0.113.2")).toBe("unauthorized");
    const log = await audited(({ details }) => details?.limit === "refusals_per_minute");
    expect(log.find(({ event }) => event === "limit_hit")?.remote).toBe("203.0.113.1");
  });

  it("the agent gateway limits silent connections of one address and frees them after the handshake timeout", async () => {
    const url = await serve("connections: 10, refusals_per_minute: 3");
    const silent = await Promise.all(
      Array.from({ length: 8 }, () => openSocket(url, "203.0.113.3")),
    );
    const held = silent.filter(({ status }) => status === 101);
    expect(held).toHaveLength(3);
    expect(silent.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(await refusal(url, "203.0.113.4")).toBe("unauthorized");
    held[0]?.socket.send(JSON.stringify({ type: "connect", role: "agent", token: WRONG }));
    await new Promise((done) => held[0]?.socket.once("close", done));
    expect((await openSocket(url, "203.0.113.3")).status).toBe(101);
  });

  it("the agent gateway limits all connections, and audits a limited number of rejected ones", async () => {
    const url = await serve("connections: 2, refusals_per_minute: 5");
    for (let i = 0; i < 2; i++) {
      expect((await openSocket(url, `203.0.113.1${i}`)).status).toBe(101);
    }
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) statuses.push((await openSocket(url, "203.0.113.20")).status);
    expect(statuses).toEqual([...Array(5).fill(503), ...Array(15).fill(429)]);
    // The audit log is complete once the server is closed.
    await running?.close();
    running = undefined;
    const log = await store.auditLog({ limit: 1000 });
    expect(log.filter(({ details }) => details?.code === "busy")).toHaveLength(5);
  });

  it("the agent gateway limits the connection attempts of a team per minute over all its addresses", async () => {
    const url = await serve("requests_per_minute: 4");
    const team = await store.createTeam({ name: "restless" });
    const { token } = await store.issueToken(team.id);
    const codes: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      codes.push(await refusal(`${url}?phase=over`, `203.0.113.3${i}`, token));
    }
    expect(codes).toEqual([...Array(4).fill("phase_closed"), "too_many", "too_many"]);
    const log = await audited(({ details }) => details?.code === "too_many");
    expect(log.find(({ details }) => details?.code === "too_many")?.teamId).toBe(team.id);
  });

  it.each([
    ["pings", "203.0.113.40", (socket: WebSocket) => socket.ping()],
    ["messages", "203.0.113.41", (socket: WebSocket) => socket.send(HEARTBEAT)],
  ])(
    "the agent gateway ends a connection that floods it with %s, authenticated or not",
    async (_, address, send) => {
      const url = await serve("messages_per_second: 5");
      const { socket } = await openSocket(url, address);
      const closed = new Promise<number>((done) => socket.once("close", done));
      for (let i = 0; i < 200; i++) send(socket);
      expect([1006, 1008]).toContain(await closed);
      await audited(({ details, remote }) => {
        return details?.limit === "messages_per_second" && remote === address;
      });
    },
  );

  it("the agent gateway reports an unreachable database without its details", async () => {
    const url = await serve("refusals_per_minute: 30");
    const team = await store.createTeam({ name: "unlucky" });
    const { token } = await store.issueToken(team.id);
    await database.stop();
    const rogue = new Rogue(url, from("203.0.113.50"));
    await rogue.hello(token);
    const answer = await rogue.until("error");
    expect(answer).toMatchObject({ code: "unavailable", fatal: true });
    faults.length = 0;
    const page = await fetch(new URL("/api/team.json", url.replace("ws:", "http:")), {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(page.status).toBe(503);
    // The organisers' log has the reason.
    expect(faults).toContainEqual(expect.stringMatching(/connect|ECONN|terminat/i));
    const text = JSON.stringify(answer) + (await page.text());
    expect(text).not.toMatch(/connect|postgres|5432|ECONN|terminat|robot_eval|rec_/i);
  });
});
