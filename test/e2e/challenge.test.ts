import { readFileSync } from "node:fs";
import { setTimeout as later } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type EvaluationSummary, serve } from "../../src/api/policy/index.js";
import { openDatabase } from "../../src/cluster/database/connect.js";
import { loadConfig } from "../../src/config/load.js";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import type { Submission, Team } from "../../src/server/challenge/store/store.js";
import { Rogue, ServedChallenge, Tap } from "../support/challenge.js";
import { linesOf, temporaryFolder } from "../support/cli.js";
import { distinctiveNumbers, leaksIn } from "../support/leaks.js";

const BENCHMARK = "configs/benchmarks/vln_graph.yaml";
const DATA = "data/graph_nav/val.json.gz";
const EPISODES = 20;
/** The benchmark discloses goals and reference paths to policies, so only the challenge can hide them. */
const CHALLENGE = `
name: Hidden houses
phases:
  - name: graph
    benchmark: <root>/${BENCHMARK}
    set: ["evaluation.disclose=[goals, reference]"]
    limit: ${EPISODES}
    max_submissions: { total: 3, per_day: 3 }
    metrics: [success, spl]
    leaderboard: spl
  - name: practice
    benchmark: <root>/${BENCHMARK}
    limit: 3
    hidden: false
    metrics: [success, spl]
    leaderboard: spl
limits: { evaluations: 2, connect_grace: 0.5, frame_bytes: 65536, messages_per_second: 20 }
`;

interface Candidate {
  readonly viewpoint: string;
  readonly heading: number;
}

/** Chooses by headings, not by names, which the challenge makes opaque; pauses, so that the other team can interfere. */
class Walker {
  static pauseMs = 0;
  #left = 0;
  #step = 0;

  reset({ instruction }: { readonly instruction: string }): void {
    this.#left = 2 + (instruction.length % 5);
    this.#step = 0;
  }

  async act(observation: Readonly<Record<string, unknown>>): Promise<string> {
    await later(Walker.pauseMs);
    if (this.#left-- === 0) return "stop";
    const around = [...(observation.candidates as Candidate[])].sort(
      (a, b) => a.heading - b.heading,
    );
    return `goto:${around[(this.#step++ * 7) % around.length]?.viewpoint}`;
  }
}

let challenge: ServedChallenge;
let tap: Tap;
let url: string;
let local: readonly EpisodeLine[];
beforeAll(async () => {
  const [served, lines] = await Promise.all([new ServedChallenge(CHALLENGE).ready(), runLocally()]);
  challenge = served;
  local = lines;
  tap = new Tap(challenge.port);
  url = await tap.agentUrl();
}, 120_000);
afterAll(async () => {
  tap?.close();
  await challenge?.stop();
});

/** Runs the same episodes with the same policy without a challenge. */
async function runLocally(): Promise<readonly EpisodeLine[]> {
  const server = await serve(Walker, { port: 0 });
  const { run_dir } = await new UnifiedRobotEvaluator(loadConfig(BENCHMARK), {
    ...{ agent: server.url, first: EPISODES, outDir: temporaryFolder() },
  }).run();
  await server.close();
  return linesOf(run_dir);
}

describe("two concurrent teams, one of which misbehaves", () => {
  let honest: { team: Team; token: string };
  let rogue: { team: Team; token: string };
  let submission: Submission | undefined;
  let summary: EvaluationSummary;

  beforeAll(async () => {
    [honest, rogue] = await Promise.all([challenge.team("honest"), challenge.team("rogue")]);
    Walker.pauseMs = 20;
    const client = await connect(Walker, `${url}?phase=graph&name=walker`, { token: honest.token });
    [submission] = await challenge.store.submissions({ teamId: honest.team.id });
    await misbehave(rogue.token, submission?.id ?? "");
    summary = await client.closed;
    await settled(rogue.team);
  }, 120_000);

  it("the result of the honest team is the same as without the other team", async () => {
    const done = await challenge.store.submission(submission?.id ?? "");
    expect(done).toMatchObject({ state: "done", episodes: { done: EPISODES, total: EPISODES } });
    const lines = await linesOf(done?.runDir ?? null);
    expect(byKey(lines)).toEqual(byKey(local));
    const result = await challenge.store.result(done?.id ?? "");
    expect(result).toMatchObject({ complete: true, summary: { episodes: { invalid: 0 } } });
    const ranked = await challenge.store.completeResults("graph");
    expect(ranked.map(({ submission: { teamName } }) => teamName)).toEqual(["honest"]);
  });

  it("no byte sent to either team contains hidden data", () => {
    expect(tap.bytes.includes("reset_episode")).toBe(true);
    expect(leaksIn(tap.bytes, { texts: hiddenTexts(), numbers: hiddenNumbers() })).toEqual([]);
  });

  it("connect() ends without the score of a hidden phase, and names the submission page", () => {
    expect(summary).toMatchObject({ episodes: EPISODES, reasons: { over: EPISODES }, metrics: {} });
    expect(summary.text).toContain(
      `the evaluator does not send the score; the results of submission ${submission?.id} are at ${url.replace("ws", "http").replace("/agent", "/team")}`,
    );
  });

  it("connect() ends with the score of a phase that is not hidden", async () => {
    const { team, token } = await challenge.team("practising");
    const client = await connect(Walker, `${url}?phase=practice`, { token });
    const { episodes, metrics, text } = await client.closed;
    const [own] = await challenge.store.submissions({ teamId: team.id });
    const result = await challenge.store.result(own?.id ?? "");
    const { success, spl } = result?.summary.aggregated_metrics ?? {};
    expect({ episodes, metrics }).toEqual({
      episodes: 3,
      metrics: { success: success?.mean, spl: spl?.mean },
    });
    expect(text).toContain(`; success ${success?.mean?.toPrecision(3)}, spl `);
    expect(text).toContain(`; the results of submission ${own?.id} are at http`);
  });

  it("a submission whose agent disconnects counts and is not ranked", async () => {
    const all = await challenge.store.submissions({ teamId: rogue.team.id });
    expect(all.map(({ state, counted }) => [state, counted])).toEqual(
      all.map(() => ["failed", true]),
    );
    expect(all).toHaveLength(3);
    const [last] = all;
    expect(last?.reason).toMatch(/not complete, \d+ episodes were judged: the agent disconnected/);
    await expect(refusal(rogue.token)).resolves.toMatchObject({ code: "quota", fatal: true });
  });

  it("the audit log has every event, and its rows cannot be changed", async () => {
    // The log is written asynchronously and in order; its last entry is the rejection in the test above.
    let log = await challenge.store.auditLog({ limit: 1000 });
    while (log[0]?.details?.code !== "quota") {
      await later(20);
      log = await challenge.store.auditLog({ limit: 1000 });
    }
    const noted = (event: string, details: object) =>
      expect(log).toContainEqual(
        expect.objectContaining({ event, details: expect.objectContaining(details) }),
      );
    noted("refused", { code: "unauthorized" });
    noted("refused", { code: "no_submission" });
    noted("refused", { code: "session_over" });
    noted("refused", { code: "quota" });
    noted("limit_hit", { limit: "messages_per_second" });
    noted("limit_hit", { limit: "frame_bytes" });
    noted("bad_message", { what: expect.stringContaining("get_goals") });
    noted("bad_message", { what: "reset_episode" });
    const of = (team: Team) => log.filter(({ teamId }) => teamId === team.id);
    expect(of(honest.team).map(({ event }) => event)).toEqual([
      "disconnected",
      "submission_finished",
      "submission_started",
      "submission_queued",
      "connected",
      "submission_opened",
    ]);
    const count = (event: string) => of(rogue.team).filter((entry) => entry.event === event).length;
    expect(count("submission_opened")).toBe(3);
    expect(count("submission_finished")).toBe(3);
    // The agent caused more than thirty errors; one connection adds at most twenty entries.
    expect(count("bad_message")).toBe(20);
    expect(log.map(({ details }) => JSON.stringify(details)).join()).not.toContain(rogue.token);
    const database = await openDatabase(challenge.databaseUrl);
    for (const change of [
      "UPDATE robot_eval.challenge_audit SET event = 'admin'",
      "DELETE FROM robot_eval.challenge_audit",
      "TRUNCATE robot_eval.challenge_audit",
    ]) {
      await expect(database.query(change)).rejects.toThrow("can only be added to");
    }
    await database.close();
  });
});

/** Attacks of a hostile team while another team's submission runs. */
async function misbehave(token: string, othersSubmission: string): Promise<void> {
  expect(await refusal(`rec_000000000000_${"0".repeat(64)}`)).toMatchObject({
    code: "unauthorized",
  });
  expect(await refusal(`${token.slice(0, -1)}x`)).toMatchObject({ code: "unauthorized" });
  const others = new Rogue(`${url}?submission=${othersSubmission}`);
  await others.hello(token);
  expect(await others.until("error")).toMatchObject({ code: "no_submission" });
  const thief = new Rogue(url);
  const resume = { session_id: othersSubmission, last_seq: -1, resume_token: "guess" };
  await thief.hello(token, { resume });
  expect(await thief.until("error")).toMatchObject({ code: "session_over" });

  const fat = await agent(token);
  fat.send({ type: "action", session_id: "", action: "x".repeat(100_000) });
  expect(await fat.closed).toBe(1009);

  const curious = await agent(token);
  const { session_id } = await curious.until("reset_episode");
  curious.send({ type: "get_goals", session_id });
  curious.send({ type: "reset_episode", session_id, episode: {} });
  curious.send({
    ...{ type: "reset_episode", session_id },
    episode: { episode_id: "val_000", task_type: "vln", scene_id: "house_00", goals: true },
  });
  await curious.until("error", 3);
  for (let i = 0; i < 30; i++) curious.send({ type: "get_goals", session_id });
  await curious.until("error", 33);
  for (let i = 0; i < 5000; i++) curious.send({ type: "heartbeat", session_id, t: i });
  expect([1008, 1006]).toContain(await curious.closed);
  expect(curious.heard).toContainEqual(expect.objectContaining({ code: "too_many_messages" }));

  // Fails its first episodes with `stop` and disconnects before the third.
  const loser = await agent(token);
  for (let episode = 1; episode <= 2; episode++) {
    const { seq } = await loser.until("reset_episode", episode);
    loser.send({ type: "episode_ready", session_id: "", seq });
    const asked = await loser.until("get_action", episode);
    loser.send({ type: "action", session_id: "", action: "stop", seq: asked.seq });
  }
  await loser.until("reset_episode", 3);
  const ends = loser.heard.filter(({ type }) => type === "episode_end");
  expect(ends.map(({ reason }) => reason)).toEqual(["over", "over"]);
  loser.hangUp();
}

/** Opens a submission and returns its agent once the evaluation runs. */
async function agent(token: string): Promise<Rogue> {
  const rogue = new Rogue(`${url}?phase=graph`, { Authorization: `Bearer ${token}` });
  await rogue.hello("");
  await rogue.until("reset_episode");
  return rogue;
}

async function refusal(token: string): Promise<Record<string, unknown>> {
  const rogue = new Rogue(`${url}?phase=graph`);
  await rogue.hello(token);
  return rogue.until("error");
}

async function settled(team: Team): Promise<void> {
  for (;;) {
    const all = await challenge.store.submissions({ teamId: team.id });
    if (all.every(({ state }) => state === "failed" || state === "done")) return;
    await later(50);
  }
}

/** Results by episode, without fields that differ between equal runs. */
function byKey(lines: readonly EpisodeLine[]) {
  return Object.fromEntries(
    lines.map(({ episode_key, outcome, metrics, steps, end_reason, final_state_hash }) => [
      episode_key,
      { outcome, metrics, steps, end_reason, final_state_hash },
    ]),
  );
}

interface Hidden {
  readonly episode_id: string;
  readonly scene_id: string;
  readonly instruction: { readonly text: string };
  readonly start_state: { readonly position: readonly number[]; readonly node: string };
  readonly goals: { readonly position: readonly number[]; readonly node: string };
  readonly reference_data: {
    readonly path: readonly (readonly number[])[];
    readonly nodes: readonly string[];
  };
}

function hiddenEpisodes(): Hidden[] {
  const { episodes } = JSON.parse(gunzipSync(readFileSync(DATA)).toString()) as {
    episodes: Hidden[];
  };
  return episodes.slice(0, EPISODES);
}

/** Hidden names, except names of rooms that an instruction contains literally. */
function hiddenTexts(): string[] {
  const episodes = hiddenEpisodes();
  const said = episodes.map(({ instruction }) => instruction.text).join(" ");
  const nodes = episodes.flatMap(({ goals, start_state, reference_data }) => [
    goals.node,
    start_state.node,
    ...reference_data.nodes,
  ]);
  return [
    ...episodes.flatMap(({ episode_id, scene_id }) => [episode_id, scene_id]),
    ...nodes.filter((node) => node.includes("_") && !said.includes(node)),
    ...["success", "navigation_error", "distance_to_goal", "max_steps", "/relay/"],
  ];
}

/** Hidden positions, seeds and results. */
function hiddenNumbers(): number[] {
  const places = hiddenEpisodes().flatMap(({ goals, start_state, reference_data }) => [
    ...goals.position,
    ...start_state.position,
    ...reference_data.path.flat(),
  ]);
  const results = local.flatMap(({ seed, agent_seed, metrics }) => [
    seed,
    agent_seed,
    ...Object.values(metrics),
  ]);
  return distinctiveNumbers([...places, ...results]);
}
