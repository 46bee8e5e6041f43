import { setTimeout as later } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, serve } from "../../src/api/policy/index.js";
import type { ChallengeDocument } from "../../src/server/challenge/http/documents.js";
import { Rogue, ServedChallenge } from "../support/challenge.js";
import {
  evaluate,
  linesOf,
  makeWorld,
  robotEval,
  robotEvalHere,
  temporaryFolder,
} from "../support/cli.js";

const world = makeWorld();

/** Phase `long` has 100 repeats, so a submission whose agent delays each answer outlasts every test of this file. */
const challengeText = (more: { closes?: string; limits?: string } = {}) => `
name: A life
phases:
  - name: many
    benchmark: ${world.yaml}
    workers: 2
    concurrency: 2
    metrics: [success, spl]
    leaderboard: spl
  - name: long
    benchmark: ${world.yaml}
    set: [evaluation.repeats=100]
    max_submissions: { total: 3, per_day: 3 }
    metrics: [success, spl]
    leaderboard: spl
    ${more.closes ? `closes: ${more.closes}` : ""}
limits: { evaluations: 8, connections_per_team: 2, connect_grace: 30, ${more.limits ?? ""} }
`;

let challenge: ServedChallenge;
beforeAll(async () => {
  challenge = await new ServedChallenge(challengeText()).ready();
});
afterAll(() => challenge?.stop());

const agentUrl = (query: string) => `ws://127.0.0.1:${challenge.port}/agent?${query}`;
const order = (...words: string[]) => robotEvalHere(["challenge", challenge.file, ...words]);
const FULL = { protocol_version: "1.0", capabilities: { encodings: ["json"], sessions: 1 } };

interface Connected {
  readonly session_id: string;
  readonly resume_token: string;
  readonly server: { readonly submission: string };
}

/** Connects an agent that declares its capabilities and so can resume; it answers after `obey`. */
async function dial(token: string, query = "phase=long") {
  const agent = new Rogue(agentUrl(query));
  await agent.hello(token, FULL);
  const { session_id, resume_token, server } = (await agent.until(
    "connected",
  )) as unknown as Connected;
  return { agent, id: server.submission, session: session_id, resumeToken: resume_token };
}

/** Connects an agent and returns once its evaluation runs. */
async function underWay(token: string) {
  const dialled = await dial(token);
  await dialled.agent.until("reset_episode");
  dialled.agent.obey(100);
  return dialled;
}

describe("a submission with several workers", () => {
  /** Delays its first actions until more episodes run than one worker runs at a time. */
  class Together {
    static readonly busy = new Set<Together>();
    static most = 0;

    async act(): Promise<string> {
      Together.busy.add(this);
      Together.most = Math.max(Together.most, Together.busy.size);
      while (Together.most < 3) await later(10);
      Together.busy.delete(this);
      return "stop";
    }
  }

  it("a submission with several workers runs several episodes at once, with the result of a single worker", async () => {
    const { team, token } = await challenge.team("many hands");
    const client = await connect(Together, agentUrl("phase=many"), { token });
    await client.closed;
    expect(Together.most).toBeGreaterThan(2);
    const [submission] = await challenge.store.submissions({ teamId: team.id });
    expect(submission).toMatchObject({ state: "done", episodes: { done: 6, total: 6 } });
    const server = await serve(Together, { port: 0 });
    const { run_dir } = await evaluate(world, { agent: server.url, outDir: temporaryFolder() });
    await server.close();
    const byKey = async (dir: string | null) =>
      Object.fromEntries(
        (await linesOf(dir)).map(({ episode_key, outcome, metrics, final_state_hash }) => [
          episode_key,
          { outcome, metrics, final_state_hash },
        ]),
      );
    expect(await byKey(submission?.runDir ?? null)).toEqual(await byKey(run_dir));
  });
});

describe("a running submission", () => {
  it("an organiser can cancel a running submission, with a reason for its team and without a result", async () => {
    const { token } = await challenge.team("told to stop");
    const { agent, id } = await underWay(token);
    const { code } = await order("submissions", "cancel", id, "--reason", "the camera is broken");
    expect(code).toBe(0);
    expect(await agent.until("disconnect")).toMatchObject({ reason: "the camera is broken" });
    expect(await challenge.store.submission(id)).toMatchObject({
      ...{ state: "cancelled", counted: true, reason: "the camera is broken" },
    });
    expect(await challenge.store.result(id)).toBeUndefined();
    const log = await challenge.audited(
      ({ event, submissionId }) => event === "submission_finished" && submissionId === id,
    );
    const own = log.filter(({ submissionId }) => submissionId === id);
    expect(own.find(({ event }) => event === "submission_finished")?.details).toMatchObject({
      state: "cancelled",
    });
    expect(own.find(({ event }) => event === "admin")?.details).toMatchObject({
      action: "submissions cancel",
    });
  });

  it("a team can cancel its running submission over HTTP", async () => {
    const { token } = await challenge.team("changed its mind");
    const { agent, id } = await underWay(token);
    const url = `http://127.0.0.1:${challenge.port}/api/submissions/${id}/cancel`;
    const answer = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await answer.json()).toMatchObject({ id, state: "cancelled", counted: true });
    expect(await agent.until("disconnect")).toMatchObject({ reason: "cancelled by the team" });
    const log = await challenge.audited(
      ({ event, submissionId }) => event === "submission_cancelled" && submissionId === id,
    );
    expect(log.find(({ event }) => event === "submission_cancelled")?.actor).toBe(
      "team:changed its mind",
    );
  });
});

describe("an agent's session", () => {
  it("a session can be resumed only by its own team with its own resume token", async () => {
    const owner = await challenge.team("owner");
    const thief = await challenge.team("thief");
    const { agent, session, resumeToken, id } = await underWay(owner.token);
    expect(resumeToken).toMatch(/^[0-9a-f]{32}$/);
    const take = async (token: string, resume_token: string) => {
      const taker = new Rogue(agentUrl("phase=long"));
      const resume = { session_id: session, last_seq: -1, resume_token };
      await taker.hello(token, { ...FULL, resume });
      return taker;
    };
    const wrong = "0".repeat(32);
    for (const [token, resume] of [
      [thief.token, wrong],
      [owner.token, wrong],
      // The resume token is not enough without the owner's team token.
      [thief.token, resumeToken],
    ] as const) {
      const taker = await take(token, resume);
      expect(await taker.until("error")).toMatchObject({ code: "session_over", fatal: true });
      expect(await taker.closed).toBe(1008);
    }
    const asked = agent.heard.length;
    await expect.poll(() => agent.heard.length).toBeGreaterThan(asked);
    agent.hangUp();
    const back = await take(owner.token, resumeToken);
    expect(await back.until("connected")).toMatchObject({ session_id: session, resumed: true });
    back.obey(20);
    await back.until("get_action", 3);
    expect(await challenge.store.submission(id)).toMatchObject({ state: "running" });
    expect(await challenge.store.submissions({ teamId: thief.team.id })).toEqual([]);
    const log = await challenge.audited(({ details }) => details?.resumed === true);
    const refused = log.filter(({ details }) => details?.code === "session_over");
    expect(refused.map(({ actor }) => actor)).toEqual(["team:thief", "team:owner", "team:thief"]);
    back.hangUp();
  });
});

describe("a revoked token", () => {
  it("revoking a token disconnects the agents that use it and no others", async () => {
    const { team, token } = await challenge.team("revoked");
    const other = await challenge.store.issueToken(team.id);
    const first = await underWay(token);
    // A team's second submission is queued until the first has ended.
    const second = await dial(other.token);
    const third = new Rogue(agentUrl("phase=many"));
    await third.hello(token);
    expect(await third.until("error")).toMatchObject({ code: "too_many_connections" });
    const following = await fetch(`http://127.0.0.1:${challenge.port}/api/live`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await challenge.store.revokeToken(token.split("_")[1] ?? "");
    expect(await first.agent.closed).toBe(1008);
    expect(first.agent.heard).toContainEqual(
      expect.objectContaining({ type: "error", code: "token_revoked", fatal: true }),
    );
    const ended = await challenge.until(first.id, ({ state }) => state === "failed");
    expect(ended).toMatchObject({ counted: true, reason: expect.stringContaining("revoked") });
    // The live stream of the revoked token must end.
    await following.text();
    await second.agent.until("reset_episode");
    expect((await order("team", "revoke", "revoked")).code).toBe(0);
    expect(await second.agent.closed).toBe(1008);
    const log = await challenge.audited(({ submissionId, event }) => {
      return submissionId === second.id && event === "submission_finished";
    });
    const out = log.filter(({ details }) => details?.code === "token_revoked");
    expect(out.map(({ event, submissionId }) => [event, submissionId])).toEqual([
      ["disconnected", second.id],
      ["disconnected", first.id],
    ]);
  });
});

describe("a server that receives SIGHUP", () => {
  it("a server that receives SIGHUP reloads the phase times, and keeps the old ones if the file is invalid", async () => {
    const { token } = await challenge.team("late");
    challenge.write(challengeText({ closes: "2020-01-01T00:00:00Z" }));
    challenge.signal("SIGHUP");
    await challenge.said("reloaded the phases' times and the certificate");
    const late = new Rogue(agentUrl("phase=long"));
    await late.hello(token);
    expect(await late.until("error")).toMatchObject({ code: "phase_closed" });
    challenge.write(challengeText({ closes: "tomorrow" }));
    challenge.signal("SIGHUP");
    await challenge.said("reload failed");
    const still = new Rogue(agentUrl("phase=long"));
    await still.hello(token);
    expect(await still.until("error")).toMatchObject({ code: "phase_closed" });
    challenge.write(challengeText());
    challenge.signal("SIGHUP");
    const stateNow = async () => {
      const told = await (await fetch(api("challenge.json"))).json();
      return (told as ChallengeDocument).phases[1]?.state;
    };
    await expect.poll(stateNow).toBe("open");
  });
});

const api = (path: string) => `http://127.0.0.1:${challenge.port}/api/${path}`;

describe("a server that was killed and started again", () => {
  it("a server that was killed and started again fails running submissions without counting them, and lets queued agents reconnect", async () => {
    const { team, token } = await challenge.team("cut off");
    const running = await underWay(token);
    const waiting = await dial(token);
    await challenge.until(waiting.id, ({ state }) => state === "queued");
    challenge.write(challengeText({ limits: "wall_clock: 2" }));
    await challenge.killAndRestart();
    expect(await challenge.store.submission(running.id)).toMatchObject({
      ...{ state: "failed", counted: false, reason: "the server was restarted" },
    });
    expect(await challenge.store.submission(waiting.id)).toMatchObject({
      ...{ state: "waiting_for_agent", counted: true },
    });
    expect(await challenge.store.usage(team.id, "long")).toMatchObject({ total: 1 });
    const headers = { Authorization: `Bearer ${token}` };
    const told = await (await fetch(api(`submissions/${running.id}.json`), { headers })).json();
    expect(told).toMatchObject({ state: "failed", reason: "the server was restarted" });
    const log = await challenge.audited(
      ({ event, submissionId }) => event === "submission_waiting" && submissionId === waiting.id,
    );
    const of = (id: string) => log.filter(({ submissionId }) => submissionId === id)[0];
    expect(of(running.id)).toMatchObject({
      ...{ event: "submission_finished", actor: "server" },
      details: { state: "failed", counted: false },
    });
    expect(of(waiting.id)).toMatchObject({ event: "submission_waiting", actor: "server" });
    const late = new Rogue(agentUrl("phase=long"));
    const resume = { session_id: running.session, last_seq: -1, resume_token: running.resumeToken };
    await late.hello(token, { ...FULL, resume });
    expect(await late.until("error")).toMatchObject({ code: "session_over" });
    const again = await dial(token, `submission=${waiting.id}`);
    expect(again.id).toBe(waiting.id);
    again.agent.hangUp();
  });
});

describe("a submission that exceeds wall_clock", () => {
  it("a submission that exceeds wall_clock fails with a reason, is audited and counts", async () => {
    const { token } = await challenge.team("slow");
    const { agent, id } = await dial(token);
    agent.obey(20);
    expect(await agent.until("disconnect")).toMatchObject({
      reason: "the submission's time ran out",
    });
    const ended = await challenge.until(id, ({ state }) => state === "failed");
    expect(ended).toMatchObject({ counted: true, reason: expect.stringContaining("time ran out") });
    const log = await challenge.audited(({ details }) => details?.limit === "wall_clock");
    expect(log.find(({ details }) => details?.limit === "wall_clock")?.submissionId).toBe(id);
    expect((await challenge.store.completeResults("long")).length).toBe(0);
  });
});

describe("a server that is stopped", () => {
  it("a stopped server does not count running submissions", async () => {
    const { token } = await challenge.team("stopped");
    const { agent, id } = await dial(token);
    await challenge.until(id, ({ state }) => state === "running");
    await challenge.stop();
    await agent.closed;
    expect(agent.heard.at(-1)).toMatchObject({
      type: "disconnect",
      reason: "the server was stopped",
    });
    const { stdout } = await robotEval(
      ["challenge", challenge.file, "submissions", "list", "--json"],
      challenge.folder,
    );
    const { submissions } = JSON.parse(stdout) as { submissions: { id: string }[] };
    expect(submissions.find((one) => one.id === id)).toMatchObject({
      ...{ state: "failed", counted: false },
    });
  });
});
