import { afterEach, describe, expect, it } from "vitest";
import { type ConnectOptions, connect, type PolicyClient } from "./connect.js";
import { listeningEvaluator, look, type Peer, reset } from "./peer.fixture.js";
import type { Policy, PolicySource } from "./policy.js";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

class Counter implements Policy {
  readonly sensors = ["rgb"];
  asked = 0;
  isClosed = false;

  reset(): void {}

  act(): string {
    return `goto:${++this.asked}`;
  }

  close(): void {
    this.isClosed = true;
  }
}

async function listening() {
  const evaluator = await listeningEvaluator();
  closers.push(() => evaluator.close());
  return evaluator;
}

async function dialled(source: PolicySource, options: ConnectOptions = {}) {
  const evaluator = await listening();
  const dialling = connect(source, evaluator.url, { grace: 5, ...options });
  const peer = await evaluator.next();
  const hello = await peer.hear();
  sendConnected(peer);
  const client: PolicyClient = await dialling;
  closers.push(() => client.close());
  return { evaluator, peer, hello, client };
}

function sendConnected(peer: Peer, more: Record<string, unknown> = {}): void {
  const capabilities = { encodings: ["json"], sessions: 1 };
  peer.say({ type: "connected", session_id: "S", capabilities, resume_token: "T", ...more });
}

describe("a policy that dials an evaluator", () => {
  it("a policy that dials an evaluator sends its capabilities, acts, and ends when the evaluator disconnects", async () => {
    const policy = new Counter();
    const { peer, hello, client } = await dialled(policy, { token: "secret" });
    expect(hello).toMatchObject({
      type: "connect",
      role: "agent",
      protocol_version: "1.0",
      token: "secret",
      capabilities: { encodings: ["msgpack", "json"], sensors: ["rgb"], sessions: 1 },
    });
    expect(await peer.ask(reset("S", 0))).toMatchObject({ type: "episode_ready", seq: 0 });
    expect(await peer.ask(look("S", 1))).toMatchObject({ action: "goto:1", seq: 1 });
    peer.say({ type: "disconnect", session_id: "S" });
    await client.closed;
    expect(policy.isClosed).toBe(true);
  });

  it("a policy that dials an evaluator dials again after a broken connection and continues", async () => {
    const policy = new Counter();
    const { evaluator, peer } = await dialled(policy);
    await peer.ask(reset("S", 0));
    const answer = await peer.ask(look("S", 1));
    peer.socket.terminate();
    const again = await evaluator.next();
    expect(await again.hear()).toMatchObject({
      type: "connect",
      resume: { session_id: "S", last_seq: 1, resume_token: "T" },
    });
    sendConnected(again, { resumed: true });
    expect(await again.ask(look("S", 1))).toEqual(answer);
    expect(await again.ask(look("S", 2))).toMatchObject({ action: "goto:2", seq: 2 });
  });

  it("a policy that dials an evaluator starts a new session if the evaluator has forgotten the old one", async () => {
    const { evaluator, peer } = await dialled(new Counter());
    await peer.ask(reset("S", 0));
    peer.socket.terminate();
    const again = await evaluator.next();
    await again.hear();
    sendConnected(again, { session_id: "S2" });
    expect(await again.ask(look("S2", 0))).toMatchObject({ code: "unknown_session" });
    expect(await again.ask(reset("S2", 1))).toMatchObject({ type: "episode_ready", seq: 1 });
  });

  it("a policy that dials an evaluator gives up when the evaluator rejects it", async () => {
    const evaluator = await listening();
    const dialling = connect(new Counter(), evaluator.url);
    const refused = expect(dialling).rejects.toMatchObject({ code: "unauthorized" });
    const peer = await evaluator.next();
    await peer.hear();
    peer.say({ type: "error", session_id: "", code: "unauthorized", message: "no", fatal: true });
    await refused;
  });

  it("a policy that dials an evaluator closes the connection when the answer is not a connected message", async () => {
    const evaluator = await listening();
    const dialling = connect(new Counter(), evaluator.url, { grace: 5 });
    const refused = expect(dialling).rejects.toMatchObject({ code: "no_handshake" });
    const peer = await evaluator.next();
    peer.say(reset("S", 0));
    await refused;
    expect((await peer.closed).code).toBe(1000);
  });

  it("a policy that dials an evaluator rejects with the evaluator error when that stops the run", async () => {
    const { peer, client } = await dialled(new Counter());
    const ended = expect(client.closed).rejects.toMatchObject({ code: "missing_sensor" });
    peer.say({
      type: "error",
      session_id: "S",
      code: "missing_sensor",
      message: "there is no sensor rgb",
      fatal: true,
    });
    await ended;
  });

  it("a policy that dials an evaluator reports that the connection was refused when the grace time ends", async () => {
    const evaluator = await listeningEvaluator();
    await evaluator.close();
    await expect(connect(new Counter(), evaluator.url, { grace: 0.05 })).rejects.toMatchObject({
      code: "connection_refused",
    });
  });

  it("a policy that dials an evaluator sends disconnect when it is closed", async () => {
    const { peer, client } = await dialled(new Counter());
    await client.close();
    expect(await peer.hear()).toMatchObject({ type: "disconnect", session_id: "S" });
    expect((await peer.closed).code).toBe(1000);
  });
});

describe("the summary of a policy that dialled an evaluator", () => {
  const end = (reason: string, metrics?: Record<string, number>) => ({
    type: "episode_end",
    session_id: "S",
    episode_id: "e1",
    reason,
    steps: 3,
    ...(metrics ? { metrics } : {}),
  });

  it("the summary of a policy that dialled an evaluator counts the episodes and says where the results are", async () => {
    const { peer, client } = await dialled(new Counter());
    for (const [seq, reason] of ["stop", "max_steps", "stop"].entries()) {
      await peer.ask(reset("S", seq));
      peer.say(end(reason));
    }
    peer.say({ type: "disconnect", session_id: "S", reason: "the run has ended" });
    expect(await client.closed).toEqual({
      episodes: 3,
      reasons: { stop: 2, max_steps: 1 },
      metrics: {},
      text: "3 episodes (2 stop, 1 max_steps); the evaluator does not send the score; the results are in the evaluator's run directory",
    });
  });

  it("the summary of a policy that dialled an evaluator has the mean of disclosed metrics, and the page of a challenge submission", async () => {
    const evaluator = await listening();
    const dialling = connect(new Counter(), evaluator.url, { grace: 5 });
    const peer = await evaluator.next();
    await peer.hear();
    sendConnected(peer, { server: { name: "robot-eval challenge", submission: "42" } });
    const client = await dialling;
    for (const success of [1, 0]) peer.say(end("stop", { success }));
    peer.say({ type: "disconnect", session_id: "S" });
    const { metrics, text } = await client.closed;
    expect(metrics).toEqual({ success: 0.5 });
    expect(text).toContain("success 0.500");
    expect(text).toContain(
      `the results of submission 42 are at ${evaluator.url.replace("ws", "http")}/team`,
    );
  });

  it("the summary of a policy that dialled an evaluator has the means that the evaluator sends at the end, instead of its own", async () => {
    const { peer, client } = await dialled(new Counter());
    for (const success of [1, 0]) peer.say(end("stop", { success }));
    peer.say({
      ...{ type: "disconnect", session_id: "S" },
      metrics: { success: 0.25, spl: 0.2, broken: "high", missing: null },
    });
    const { metrics, text } = await client.closed;
    expect(metrics).toEqual({ success: 0.25, spl: 0.2 });
    expect(text).toContain("; success 0.250, spl 0.200; ");
  });
});
