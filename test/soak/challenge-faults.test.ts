import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rogue, ServedChallenge } from "../support/challenge.js";
import { linesOf, makeWorld, robotEval } from "../support/cli.js";
import { fill, makeDisk } from "../support/disk.js";
import { startPostgres, type TestServer } from "../support/postgres.js";

const world = makeWorld();
const challengeText = (more = "") => `
name: Faults
phases:
  - name: test
    benchmark: ${world.yaml}
    metrics: [success, spl]
    leaderboard: spl
${more}`;
const FULL = { protocol_version: "1.0", capabilities: { encodings: ["json"], sessions: 1 } };

/** Connects an agent whose submission runs: it was asked for its first action and has not answered. */
async function underWay(challenge: ServedChallenge, name: string) {
  const { team, token } = await challenge.team(name);
  const agent = new Rogue(`ws://127.0.0.1:${challenge.port}/agent?phase=test`);
  await agent.hello(token, FULL);
  const { server } = await agent.until("connected");
  const { submission: id } = server as { readonly submission: string };
  const { session_id, seq } = await agent.until("reset_episode");
  agent.send({ type: "episode_ready", session_id, seq });
  await agent.until("get_action");
  return { team, token, agent, id };
}

const read = async (challenge: ServedChallenge, path: string) => {
  const answer = await fetch(`http://127.0.0.1:${challenge.port}${path}`);
  return { status: answer.status, text: await answer.text() };
};

/** The `episode_end` message that an agent receives after this action as its first. */
async function episodeEndAfter(challenge: ServedChallenge, name: string, action: string) {
  const { agent } = await underWay(challenge, name);
  const { session_id, seq } = await agent.until("get_action");
  const before = agent.heard.length;
  agent.send({ type: "action", session_id, seq, action });
  await agent.until("episode_end");
  agent.hangUp();
  return agent.heard.slice(before).find(({ type }) => type === "episode_end");
}

describe("a challenge server with an embedded PostgreSQL", () => {
  let challenge: ServedChallenge;
  beforeAll(async () => {
    challenge = await new ServedChallenge(
      challengeText("limits: { connect_grace: 1, evaluations: 8 }\n"),
    ).ready();
  });

  it("a challenge server with an embedded PostgreSQL reveals nothing to an agent that guesses viewpoints of a hidden graph", async () => {
    const ends = await Promise.all(
      // Every viewpoint has at least one of these as a neighbour.
      ["a", "b", "c", "d", "nonsense"].map((name) =>
        episodeEndAfter(challenge, `guesses ${name}`, `goto:${name}`),
      ),
    );
    const seen = ends.map((end) => ({ ...end, episode_id: "", session_id: "" }));
    expect(new Set(seen.map((end) => JSON.stringify(end))).size).toBe(1);
    expect(seen[0]).toMatchObject({ type: "episode_end", reason: "over", steps: 0 });
  });

  it("a challenge server with an embedded PostgreSQL restarts a killed PostgreSQL and records the submission that finished in the meantime", async () => {
    const { agent, id, token } = await underWay(challenge, "unlucky");
    process.kill(challenge.databasePid(), "SIGKILL");
    agent.obey(0);
    await agent.until("disconnect");
    const ended = await challenge.until(id, ({ state }) => state !== "running");
    expect(ended).toMatchObject({ state: "done", counted: true, reason: null });
    const ranked = await challenge.store.completeResults("test");
    expect(ranked.map(({ submissionId }) => submissionId)).toContain(id);
    await challenge.said("PostgreSQL died and was restarted (1)");
    const log = await challenge.audited(
      ({ event, submissionId }) => event === "submission_finished" && submissionId === id,
    );
    const finished = log.find(
      ({ event, submissionId }) => event === "submission_finished" && submissionId === id,
    );
    expect(finished?.details).toMatchObject({ state: "done", complete: true });
    expect(await read(challenge, "/healthz")).toEqual({ status: 200, text: "ok\n" });
    await expect.poll(async () => (await read(challenge, "/readyz")).status).toBe(200);
    expect((await read(challenge, "/")).status).toBe(200);
    const again = new Rogue(`ws://127.0.0.1:${challenge.port}/agent?phase=test`);
    await again.hello(token, FULL);
    await again.until("connected");
    again.hangUp();
  });

  it("the server exits with code 1 if its PostgreSQL is killed too often", async () => {
    const { id } = await underWay(challenge, "cut off");
    for (let restarts = 2; restarts <= 3; restarts++) {
      process.kill(challenge.databasePid(), "SIGKILL");
      await challenge.said(`PostgreSQL died and was restarted (${restarts})`);
    }
    const ended = challenge.ended();
    process.kill(challenge.databasePid(), "SIGKILL");
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toContain("the embedded PostgreSQL is lost: it exited 4 times in ten minutes");
    // The next command starts PostgreSQL again, which still has the submission.
    const { stdout } = await robotEval(
      ["challenge", challenge.file, "submissions", "list", "--json"],
      challenge.folder,
    );
    const { submissions } = JSON.parse(stdout) as { submissions: { id: string }[] };
    expect(submissions.find((one) => one.id === id)).toMatchObject({ state: "running" });
  });
});

const disk = makeDisk(128 * 1024);

describe("a challenge server with a failing database and storage", () => {
  let challenge: ServedChallenge;
  let postgres: TestServer;
  beforeAll(async () => {
    postgres = await startPostgres();
    const { url } = postgres;
    if (disk !== undefined) chmodSync(disk, 0o711);
    const storage = disk === undefined ? "" : `storage: ${disk}\n`;
    const limits = "limits: { evaluations: 2 }\n";
    challenge = await new ServedChallenge(
      challengeText(`database: ${url}\n${storage}${limits}`),
      url,
    ).ready();
  });
  afterAll(() => challenge?.stop());

  it("a challenge server with a failing database and storage cleans hostile text without a fault and audits every rejection", async () => {
    const { team, token } = await challenge.team("hostile");
    const url = `ws://127.0.0.1:${challenge.port}/agent`;
    const stranger = new Rogue(`${url}?phase=%00%1b[2J&submission=%00`);
    await stranger.hello("wrong");
    expect(await stranger.until("error")).toMatchObject({ code: "unauthorized" });
    const lost = new Rogue(`${url}?phase=%00`);
    await lost.hello(token);
    expect(await lost.until("error")).toMatchObject({ code: "no_phase" });
    const log = await challenge.audited(({ details }) => details?.code === "no_phase");
    expect(log.find(({ details }) => details?.code === "unauthorized")?.details).toMatchObject({
      ...{ phase: "\ufffd\ufffd[2J", submission: "\ufffd" },
    });

    const opened = await fetch(`http://127.0.0.1:${challenge.port}/api/submissions`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ phase: "test", name: "a\u0000\u001b]0;owned\u0007" }),
    });
    expect([opened.status, await opened.json()]).toMatchObject([
      ...[201, { name: "a\ufffd\ufffd]0;owned\ufffd" }],
    ]);

    const name = encodeURIComponent(`\u0000${"n".repeat(500)}`);
    const agent = new Rogue(`${url}?phase=test&name=${name}`);
    await agent.hello(token, FULL);
    const { server } = await agent.until("connected");
    const { submission: id } = server as { readonly submission: string };
    agent.obey(0, `goto:\u0000${"x".repeat(900_000)}`);
    const done = await challenge.until(id, ({ state }) => state === "done");
    expect(done.name).toBe(`\ufffd${"n".repeat(98)}…`);
    expect(await challenge.store.submissions({ teamId: team.id })).toHaveLength(2);
    const lines = await linesOf(done.runDir);
    expect(lines.map(({ end_reason }) => end_reason)).toEqual(lines.map(() => "bad_action"));
    expect(JSON.stringify(lines).length).toBeLessThan(20_000);
    expect(lines.map(({ explanation }) => explanation).join("")).not.toMatch(/\p{Cc}/u);
    const { size } = statSync(join(done.runDir ?? "", "log.jsonl"));
    expect(size).toBeLessThan(50_000);
  });

  it("a challenge server with a failing database and storage answers 503 while the database is down, and records finished submissions when it is back", async () => {
    const { agent, id, token } = await underWay(challenge, "patient");
    const headers = { Authorization: `Bearer ${token}` };
    const get = (path: string, accept = "*/*") =>
      fetch(`http://127.0.0.1:${challenge.port}${path}`, {
        headers: { ...headers, Accept: accept },
      });
    await postgres.restart(async () => {
      agent.obey(0);
      await expect
        .poll(() => read(challenge, "/readyz"))
        .toMatchObject({
          ...{ status: 503, text: "the server's database does not answer\n" },
        });
      expect((await read(challenge, "/healthz")).status).toBe(200);
      const answer = await get("/api/team.json");
      expect([answer.status, answer.headers.get("Retry-After"), await answer.json()]).toEqual([
        ...[503, "10", expect.objectContaining({ code: "unavailable" })],
      ]);
      const page = await get("/team", "text/html");
      expect([page.status, await page.text()]).toEqual([
        ...[503, expect.stringContaining("cannot answer at the moment")],
      ]);
      const dialling = new Rogue(`ws://127.0.0.1:${challenge.port}/agent?phase=test`);
      await dialling.hello(token, FULL);
      expect(await dialling.until("error")).toMatchObject({ code: "unavailable" });
      await expect
        .poll(() => agent.heard.filter(({ type }) => type === "episode_end").length)
        .toBe(6);
    });
    const ended = await challenge.until(
      id,
      ({ state, episodes }) => state !== "running" && episodes.done === 6,
    );
    expect(ended).toMatchObject({ state: "done", counted: true });
    const log = await challenge.audited(
      ({ event, submissionId }) => event === "submission_finished" && submissionId === id,
    );
    // Audit entries made while the database was down are written when it is back.
    expect(log.find(({ details }) => details?.code === "unavailable")).toBeUndefined();
    expect(log.some(({ details }) => details?.entries_lost_before !== undefined)).toBe(false);
  });

  it.skipIf(disk === undefined)(
    "a challenge server with a failing database and storage rejects new submissions while its storage is full, and then finishes the running one (needs the right to mount a disk)",
    async () => {
      const { team, agent, id } = await underWay(challenge, "innocent");
      const empty = fill(disk ?? "");
      agent.obey(0);
      const queued = await challenge.until(id, ({ state }) => state !== "running");
      expect(queued).toMatchObject({ state: "queued", reason: expect.stringContaining("server") });

      const ready = await read(challenge, "/readyz");
      expect(ready).toMatchObject({
        status: 503,
        text: expect.stringContaining("storage is full"),
      });
      expect((await read(challenge, "/healthz")).status).toBe(200);
      const other = await challenge.team("late");
      const opened = await fetch(`http://127.0.0.1:${challenge.port}/api/submissions`, {
        method: "POST",
        headers: { Authorization: `Bearer ${other.token}` },
        body: JSON.stringify({ phase: "test" }),
      });
      expect([opened.status, await opened.json()]).toEqual([
        503,
        expect.objectContaining({
          code: "not_ready",
          message: expect.stringContaining("storage is full"),
        }),
      ]);
      const dialling = new Rogue(`ws://127.0.0.1:${challenge.port}/agent?phase=test`);
      await dialling.hello(other.token);
      expect(await dialling.until("error")).toMatchObject({
        code: "not_ready",
        message: expect.stringContaining("storage is full"),
      });
      expect(await challenge.store.submissions({ teamId: other.team.id })).toEqual([]);

      empty();
      const done = await challenge.until(id, ({ state }) => state === "done");
      expect(done).toMatchObject({ counted: true, reason: null });
      expect(await linesOf(done.runDir)).toHaveLength(6);
      const asked = agent.heard.flatMap(({ type, episode }) =>
        type === "reset_episode" ? [(episode as { episode_id: string }).episode_id] : [],
      );
      expect(new Set(asked).size).toBe(6);
      expect(await challenge.store.usage(team.id, "test")).toMatchObject({ total: 1 });
      expect((await read(challenge, "/readyz")).status).toBe(200);
      const log = await challenge.audited(({ event }) => event === "submission_retried");
      expect(log.find(({ event }) => event === "submission_retried")).toMatchObject({
        submissionId: id,
        details: { reason: expect.stringContaining("ENOSPC") },
      });
    },
  );
});
