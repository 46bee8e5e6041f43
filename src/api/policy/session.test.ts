import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packMsgpack } from "../codec/msgpack.js";
import { NdArray } from "../codec/ndarray.js";
import { evaluator, look, Peer, reset } from "./peer.fixture.js";
import type { Policy } from "./policy.js";
import { Forward, Slow, serving, until } from "./served.fixture.js";

describe("actions returned by a policy", () => {
  const cases: [name: string, returned: unknown, part: string][] = [
    ["nothing", undefined, "act returned nothing"],
    ["an empty list", [], "act returned an empty list"],
    ["NaN in a vector", [1, Number.NaN], "entry 1 is NaN"],
    ["a list of mixed types", [1, "stop"], 'entry 1 is "stop"'],
    ["an object without name or qpos", { speed: 1 }, 'act returned {"speed":1}'],
    ["more than it declares", ["stop", "stop", "stop"], "set `actionChunk = 3`"],
  ];

  it.each(cases)(
    "actions returned by a policy are rejected with an error when they are %s",
    async (_, returned, part) => {
      const policy = { actionChunk: 2, reset() {}, act: () => returned } as Policy;
      const { url } = await serving(policy);
      const { peer, id } = await evaluator(url);
      await peer.ask(reset(id, 0));
      const answer = await peer.ask(look(id, 1));
      expect(answer).toMatchObject({
        type: "error",
        code: "policy_error",
        fatal: false,
        re_seq: 1,
      });
      expect(answer.message).toContain(part);
    },
  );

  it("actions returned by a policy are sent in the field actions when there are several", async () => {
    const policy: Policy = {
      actionChunk: 2,
      reset() {},
      act: () => [[1, 2], new Float32Array([3, 4])],
    };
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    expect(await peer.ask(look(id, 1))).toMatchObject({
      actions: [
        [1, 2],
        [3, 4],
      ],
    });
  });

  it("actions returned by a policy keep both name and qpos, so that the evaluator can use the one that its action space has", async () => {
    const policy = {
      reset() {},
      act: () => ({ name: "stop", qpos: Float32Array.of(1, 2) }),
    } as Policy;
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    expect(await peer.ask(look(id, 1))).toMatchObject({ action: { name: "stop", qpos: [1, 2] } });
  });

  it("actions returned by a policy may be missing because the policy throws: the error is sent and the connection stays open", async () => {
    let calls = 0;
    const policy: Policy = {
      reset() {},
      act() {
        if (calls++ === 0) throw new RangeError("no such joint");
        return "stop";
      },
    };
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    expect(await peer.ask(look(id, 1))).toEqual({
      type: "error",
      session_id: id,
      code: "policy_error",
      message: "RangeError: no such joint",
      fatal: false,
      re_seq: 1,
    });
    expect(await peer.ask(look(id, 2))).toMatchObject({ action: "stop", seq: 2 });
  });
});

describe("repeated requests", () => {
  it("repeated requests get the same reply without calling the policy again", async () => {
    const policy = new Forward();
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    const answer = await peer.ask(look(id, 1));
    expect(await peer.ask(look(id, 1))).toEqual(answer);
    expect(policy.asked).toBe(1);
    expect(await peer.ask(reset(id, 0))).toMatchObject({ code: "stale_request", re_seq: 0 });
  });

  it("repeated requests get one reply while they are being computed", async () => {
    const policy = new Slow();
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    peer.say(look(id, 1));
    peer.say(look(id, 1));
    await until(() => policy.asked === 1);
    policy.answer();
    expect(await peer.hear()).toMatchObject({ action: "turn_left", seq: 1 });
    expect(await peer.ask({ type: "heartbeat", session_id: id, t: 5 })).toMatchObject({ re: 5 });
    expect([peer.unread, policy.asked]).toEqual([0, 1]);
  });

  it("repeated requests are rejected when too many are pending", async () => {
    const policy = new Slow();
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    for (let seq = 1; seq <= 9; seq++) peer.say(look(id, seq));
    expect(await peer.hear()).toMatchObject({ code: "too_many_requests", re_seq: 9 });
    const answering = setInterval(() => policy.answer(), 1);
    for (let seq = 1; seq <= 8; seq++) expect(await peer.hear()).toMatchObject({ seq });
    clearInterval(answering);
  });
});

describe("a broken connection to a policy", () => {
  async function resume(url: string, connected: Record<string, unknown>, lastSeq: number) {
    const { session_id, resume_token } = connected;
    return evaluator(url, { resume: { session_id, resume_token, last_seq: lastSeq } });
  }

  it("a broken connection to a policy is resumed with its token, and the episode continues", async () => {
    const policy = new Forward();
    const { url } = await serving(policy);
    const { peer, id, connected } = await evaluator(url);
    await peer.ask(reset(id, 0));
    const answer = await peer.ask(look(id, 1));
    peer.socket.terminate();
    const again = await resume(url, connected, 1);
    expect(again.connected).toMatchObject({ session_id: id, resumed: true });
    expect(await again.peer.ask(look(id, 1))).toEqual(answer);
    expect(await again.peer.ask(look(id, 2))).toMatchObject({ action: "move_forward", seq: 2 });
    expect([policy.asked, policy.episodes.length]).toEqual([2, 1]);
  });

  it("a reply computed while the connection is broken is delivered once, over the new connection", async () => {
    const policy = new Slow();
    const { url } = await serving(policy);
    const { peer, id, connected } = await evaluator(url);
    await peer.ask(reset(id, 0));
    peer.say(look(id, 1));
    await until(() => policy.asked === 1);
    const again = await resume(url, connected, 0);
    expect(again.connected).toMatchObject({ resumed: true });
    await peer.closed;
    again.peer.say(look(id, 1));
    policy.answer();
    expect(await again.peer.hear()).toMatchObject({ action: "turn_left", seq: 1 });
    expect([policy.asked, peer.unread]).toEqual([1, 0]);
  });

  it("a broken connection to a policy cannot be resumed with a wrong token or after the grace time", async () => {
    const { url } = await serving(Forward, { grace: 0.01 });
    const { peer, id, connected } = await evaluator(url);
    const wrong = await resume(url, { ...connected, resume_token: "guess" }, 0);
    expect(wrong.connected).not.toHaveProperty("resumed");
    expect(wrong.id).not.toBe(id);
    peer.socket.terminate();
    // The grace time starts when the server notices the break, however late that is.
    let late = await resume(url, connected, 0);
    for (let waitMs = 50; late.connected.resumed; waitMs *= 2) {
      late.peer.socket.terminate();
      await pause(waitMs);
      late = await resume(url, late.connected, 0);
    }
    expect(late.connected).not.toHaveProperty("resumed");
  });
});

describe("invalid messages to a policy", () => {
  it("invalid messages to a policy are answered with an error, and the connection stays open", async () => {
    const { url } = await serving(new Forward());
    const { peer, id } = await evaluator(url);
    expect(await peer.ask(look(id, 1))).toMatchObject({ code: "unknown_session", re_seq: 1 });
    expect(await peer.ask(look("other", 2))).toMatchObject({ code: "unknown_session", re_seq: 2 });
    expect(await peer.ask({ type: "actoin", session_id: id })).toMatchObject({
      code: "unknown_type",
      fatal: false,
    });
    expect(await peer.ask({ type: "action", session_id: id, action: "stop" })).toMatchObject({
      code: "unexpected_message",
    });
    peer.socket.send("{");
    expect(await peer.hear()).toMatchObject({ code: "bad_message", fatal: false });
    await peer.ask(reset(id, 3));
    const picture = { rgb: "iVBORw0KGgoAAAAA" };
    expect(await peer.ask(look(id, 4, picture))).toMatchObject({ code: "bad_message", re_seq: 4 });
    peer.say({ type: "episode_end", session_id: id, episode_id: "e1", reason: "stop", steps: 1 });
    expect(await peer.ask(look(id, 5))).toMatchObject({ code: "no_episode", re_seq: 5 });
    expect(await peer.ask(reset(id, 6))).toMatchObject({ type: "episode_ready", seq: 6 });
  });

  it("invalid messages to a policy are answered before connect as well", async () => {
    const { url } = await serving(new Forward());
    const peer = await Peer.dial(url);
    expect(await peer.ask(reset("x"))).toMatchObject({ code: "not_connected", fatal: false });
  });

  it("invalid messages to a policy may be arbitrary bytes, and the next evaluator is still served", async () => {
    const policy = new Forward();
    const { url } = await serving(policy, { sessions: 4 });
    const frames = (id: string) => [
      Buffer.from(JSON.stringify(look(id, 1, { rgb: "iVBORw0KGgo", gps: [1] }))),
      Buffer.from(JSON.stringify(reset(id, 0))),
      packMsgpack(look(id, 2, { depth: new NdArray("<f4", [1, 1], Float32Array.of(1)) })),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ which: fc.nat(2), at: fc.nat(), to: fc.nat(255), isBinary: fc.boolean() }),
          { minLength: 50, maxLength: 100 },
        ),
        async (mutations) => {
          let { peer, id, connected } = await evaluator(url);
          while (connected.type === "error") ({ peer, id, connected } = await evaluator(url));
          for (const { which, at, to, isBinary } of mutations) {
            const bytes = Buffer.from(frames(id)[which] ?? "");
            bytes[at % bytes.length] = to;
            peer.socket.send(bytes, { binary: isBinary });
          }
          peer.say({ type: "heartbeat", session_id: id, t: 77 });
          // Invalid UTF-8 in a text frame closes the connection with 1007, as RFC 6455 requires.
          const closed = peer.closed.then(({ code }) => ({ type: "closed", re: code }));
          let heard = await Promise.race([peer.hear(), closed]);
          while (heard.re !== 77 && heard.re !== 1007) {
            expect(["error", "action", "episode_ready"]).toContain(heard.type);
            heard = await Promise.race([peer.hear(), closed]);
          }
          if (heard.re === 77) peer.say({ type: "disconnect", session_id: id });
          await peer.closed;
        },
      ),
      { numRuns: 20 },
    );
    let { peer, id, connected } = await evaluator(url);
    while (connected.type === "error") ({ peer, id, connected } = await evaluator(url));
    await peer.ask(reset(id, 0));
    expect(await peer.ask(look(id, 1))).toMatchObject({ action: "move_forward" });
  });

  it("a frame to a policy closes the connection when it is too big", async () => {
    const { url } = await serving(new Forward(), { maxFrame: 1000 });
    const { peer, id } = await evaluator(url);
    peer.say(look(id, 1, { text: "x".repeat(1000) }));
    expect((await peer.closed).code).toBe(1009);
  });
});
