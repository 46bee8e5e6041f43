import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { stopClock } from "../../../test/support/clock.js";
import {
  evaluate,
  onlyLine,
  type TinyWorld,
  tinyEpisode,
  tinyWorld,
} from "../../../test/support/tiny-world.js";
import type { MessageType } from "../../api/messages/base.js";
import {
  type RawConnection,
  RawPolicy,
  type RawPolicyOptions,
  type Reaction,
  type Wire,
} from "../../api/websocket/raw-peer.fixture.js";
import type { EvaluatorOptions } from "../../evaluator/evaluator.js";
import { resumeRun } from "../../evaluator/resume.js";
import { createRegistries } from "../../registry/registries.js";
import { RemotePolicies } from "./factory.js";

const QUICK = { connect_timeout: 5, reconnect_grace: 0.05, cold_start_timeout: 5 };

function world(policy: Wire = {}, more: Parameters<typeof tinyWorld>[0] = {}): TinyWorld {
  return tinyWorld({ ...more, sections: { policy: { ...QUICK, ...policy }, ...more.sections } });
}

const oneEpisode = { episodes: [tinyEpisode("a", "e")] };

/** From a to e: one step, then the goal. */
const ROUTE = ["goto:b", "goto:e", "stop"];
const leading: Reaction = (message, peer) =>
  peer.answer(message, { action: ROUTE[Number(message.step)] });

const GONE = { connect_timeout: 0.3, reconnect_grace: 0.02 };

/** Its process dies when the second episode begins. */
function dyingInSecondEpisode(): RawPolicyOptions {
  let episodes = 0;
  return {
    on: {
      reset_episode: (message, peer) => {
        if (++episodes === 1) peer.answer(message);
        else void peer.policy.stop();
      },
    },
  };
}

/** Reacts differently in the first episode than in the others. */
function inFirstEpisode(step: number, reaction: Reaction): RawPolicyOptions {
  let episodes = 0;
  return {
    on: {
      reset_episode: (message, peer) => {
        episodes++;
        peer.answer(message);
      },
      get_action: (message, peer) => {
        const isIt = episodes === 1 && message.step === step;
        if (isIt) reaction(message, peer);
        else peer.answer(message, { action: message.step === 0 ? "turn_left" : "stop" });
      },
    },
  };
}

describe("RemoteAgent", () => {
  it("RemoteAgent runs an episode with a policy in another process", async () => {
    const policy = await RawPolicy.listen({ on: { get_action: leading } });
    const run = await evaluate(world({}, oneEpisode), policy.url);
    expect(onlyLine(run)).toMatchObject({ outcome: "success", steps: 3 });
    expect(policy.received.map(({ type }) => type)).toEqual([
      "connect",
      "reset_episode",
      "get_action",
      "get_action",
      "get_action",
      "episode_end",
      "disconnect",
    ]);
    expect(policy.of("reset_episode")[0]?.episode).toMatchObject({
      goals: null,
      reference_path: null,
      sensors: expect.arrayContaining(["gps"]),
    });
  });

  it("RemoteAgent serves all tasks and runners of a thread over one connection", async () => {
    const policy = await RawPolicy.listen({ capabilities: { sessions: 3 } });
    const tasks = { tasks: ["vln", "other"] };
    const { results } = await evaluate(world({}, tasks), policy.url, { concurrency: 3 });
    expect(results.episodes).toMatchObject({ total: 8, invalid: 0 });
    expect(policy.connections).toHaveLength(1);
    expect(new Set(policy.of("reset_episode").map(({ session_id }) => session_id)).size).toBe(3);
  });

  it("RemoteAgent executes as many actions of a chunk as the benchmark says", async () => {
    const policy = await RawPolicy.listen({
      capabilities: { action_chunk: 3 },
      on: {
        get_action: (message, peer) => {
          const actions = ROUTE.slice(Number(message.step));
          peer.answer(message, { action: undefined, actions });
        },
      },
    });
    const all = onlyLine(await evaluate(world({}, oneEpisode), policy.url));
    expect(all).toMatchObject({ outcome: "success", steps: 3 });
    expect(policy.of("get_action").map(({ step }) => step)).toEqual([0]);
    await evaluate(world({ execute: 2 }, oneEpisode), policy.url);
    expect(policy.of("get_action").map(({ step }) => step)).toEqual([0, 0, 2]);
  });

  it("RemoteAgent can be wrapped by another agent", async () => {
    const policy = await RawPolicy.listen({ on: { get_action: leading } });
    const run = await evaluate(world({}, oneEpisode), `noisy:0:${policy.url}`);
    expect(onlyLine(run)).toMatchObject({ outcome: "success" });
    expect(policy.of("episode_end")).toHaveLength(1);
  });
});

describe("a policy that fails", () => {
  const cut: Reaction = (_, peer) => peer.cut();
  /** Of one answer. Elapses only in the tests that stop the clock. */
  const LIMIT_S = 5;
  const stall: Reaction = () => void vi.advanceTimersByTime(LIMIT_S * 1000);
  const error: Reaction = ({ seq }, peer) =>
    peer.send({ type: "error", code: "policy_error", message: "ValueError: 3", re_seq: seq });

  it.each<[string, number, Reaction, Wire]>([
    [
      "is cut off before its first action",
      0,
      cut,
      { outcome: "invalid", end_reason: "agent_error" },
    ],
    ["is cut off after it", 1, cut, { outcome: "failure", end_reason: "agent_error" }],
    [
      "stalls before its first action",
      0,
      stall,
      { outcome: "invalid", error: { code: "policy_timeout" } },
    ],
    ["stalls after it", 1, stall, { outcome: "failure", error: { code: "policy_timeout" } }],
    [
      "throws before its first action",
      0,
      error,
      { outcome: "invalid", error: { code: "policy_error" } },
    ],
    ["throws after it", 1, error, { outcome: "failure", error: { code: "policy_error" } }],
    [
      "does what cannot be done",
      0,
      (message, peer) => peer.answer(message, { action: "fly" }),
      { outcome: "failure", end_reason: "bad_action" },
    ],
    [
      "takes leave",
      1,
      (_, peer) => peer.send({ type: "disconnect", reason: "I give up" }),
      { outcome: "failure", error: { message: expect.stringContaining("I give up") } },
    ],
  ])(
    "an episode fails, and not the run, when the policy %s",
    async (_, step, reaction, expected) => {
      const policy = await RawPolicy.listen({ ...inFirstEpisode(step, reaction), plain: true });
      if (reaction === stall) stopClock();
      const times = { cold_start_timeout: LIMIT_S, action_timeout: LIMIT_S };
      const { lines, results } = await evaluate(world(times), policy.url);
      expect(lines[0]).toMatchObject({ fault: "agent", ...expected });
      expect(lines.slice(1).map(({ steps, fault }) => [steps, fault])).toEqual([
        [2, undefined],
        [2, undefined],
        [2, undefined],
      ]);
      expect(results.episodes.total).toBe(4);
    },
  );

  it.each<MessageType>(["connect", "reset_episode", "get_action", "episode_end"])(
    "a policy that fails loses nothing when it is cut off at %s and reconnects",
    async (type) => {
      let cuts = 1;
      const policy = await RawPolicy.listen({
        on: {
          [type]: (message: Wire, peer: RawConnection) =>
            cuts-- > 0 ? peer.cut() : peer.answer(message),
        },
      });
      const { results } = await evaluate(world({ reconnect_grace: 5 }), policy.url);
      expect(results.episodes).toMatchObject({ total: 4, invalid: 0 });
      expect(results.faults).toEqual({});
      expect(policy.connections).toHaveLength(2);
    },
  );

  it("a policy that fails reaches the goal when it is cut off on the way and reconnects", async () => {
    let cuts = 1;
    const policy = await RawPolicy.listen({
      on: {
        get_action: (message, peer) => (cuts-- === 0 ? peer.cut() : leading(message, peer)),
      },
    });
    const run = await evaluate(world({ reconnect_grace: 5 }, oneEpisode), policy.url);
    expect(onlyLine(run)).toMatchObject({ outcome: "success", steps: 3 });
    expect(policy.connections).toHaveLength(2);
  });

  it("a policy that fails loses nothing when it is restarted between two episodes", async () => {
    let second: Promise<RawPolicy> | undefined;
    const first = await RawPolicy.listen({
      on: {
        reset_episode: (message, peer) => {
          if (second === undefined) {
            peer.answer(message);
            second = new Promise((resolve) => {
              peer.policy.onEnd = async () => {
                await peer.policy.stop();
                resolve(await RawPolicy.listen({}, peer.policy.port));
              };
            });
          } else peer.cut();
        },
      },
    });
    const { results } = await evaluate(
      world({ connect_timeout: 5, reconnect_grace: 5 }),
      first.url,
    );
    expect(results.episodes).toMatchObject({ total: 4, invalid: 0 });
    expect((await second)?.of("reset_episode")).toHaveLength(3);
  });

  it("every episode is invalid, and the run ends, when the policy never returns with when_lost continue", async () => {
    const policy = await RawPolicy.listen({
      on: { get_action: (_, peer) => void peer.policy.stop() },
    });
    const { results } = await evaluate(world({ ...GONE, when_lost: "continue" }), policy.url);
    expect(results).toMatchObject({ status: "done", episodes: { total: 4, invalid: 4 } });
    expect(results.faults).toEqual({ agent: 4 });
  });

  it("a run stops when its policy does not return, and can be resumed", async () => {
    const policy = await RawPolicy.listen(dyingInSecondEpisode());
    const place = world(GONE);
    const outDir = join(place.dir, "runs");
    const { results, lines } = await evaluate(place, policy.url, { outDir });
    expect(results.status).toBe("failed");
    expect(results.given_up).toContain("the policy disconnected and cannot be reached again");
    expect(lines.length).toBeLessThan(4);
    expect(lines[0]).toMatchObject({ outcome: "failure", end_reason: "stop" });
    await RawPolicy.listen({}, policy.port);
    const path = results.run_dir ?? "";
    expect(await resumeRun(path, { retryInvalid: true })).toMatchObject({
      status: "done",
      episodes: { total: 4, invalid: 0 },
    });
  });

  it("a policy that fails is awaited with when_lost wait, and no episode is lost that it had not begun", async () => {
    const policy = await RawPolicy.listen(dyingInSecondEpisode());
    const notices: string[] = [];
    let second: Promise<RawPolicy> | undefined;
    const { results, lines } = await evaluate(world({ ...GONE, when_lost: "wait" }), policy.url, {
      onNotice: (text) => {
        notices.push(text);
        second ??= RawPolicy.listen({}, policy.port);
      },
    });
    await second;
    expect(results).toMatchObject({ status: "done", episodes: { total: 4, invalid: 0 } });
    expect(lines.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    expect(notices).toEqual([
      expect.stringContaining("waiting until it is back (policy.when_lost: wait)"),
      "the policy is back",
    ]);
  });

  it("a policy that fails is dialled again for the next episode when it exceeds the episode time", async () => {
    stopClock();
    const policy = await RawPolicy.listen(
      inFirstEpisode(1, () => void vi.advanceTimersByTime(1000)),
    );
    const { lines } = await evaluate(world({}, { evaluation: { timeout: 1 } }), policy.url);
    expect(lines[0]).toMatchObject({ outcome: "failure", end_reason: "timeout" });
    expect(lines.slice(1).every(({ fault }) => fault === undefined)).toBe(true);
    expect(policy.connections).toHaveLength(2);
  });
});

describe("checks before the run", () => {
  async function refusal(spec: string, policy: Wire = {}, options: EvaluatorOptions = {}) {
    const place = world(policy);
    const outDir = join(place.dir, "runs");
    const error = await evaluate(place, spec, { ...options, outDir }).catch((e: unknown) => e);
    expect(existsSync(outDir)).toBe(false);
    return error;
  }

  it("a check before the run reports an unreachable policy", async () => {
    const policy = await RawPolicy.listen();
    await policy.stop();
    expect(await refusal(policy.url, { connect_timeout: 0.3 })).toMatchObject({
      code: "connection_refused",
      where: policy.url,
      exitCode: 2,
    });
  });

  it("a check before the run lists all conventions that differ, and sends them to the policy", async () => {
    const conventions = {
      action_space: "continuous",
      image_layout: "chw",
      color_order: "rgb",
      mood: 1,
    };
    const policy = await RawPolicy.listen({ capabilities: { conventions } });
    const error = await refusal(policy.url);
    expect(error).toMatchObject({ code: "convention_mismatch", exitCode: 2, where: policy.url });
    expect(String(error)).toContain(
      'action_space: the policy declares "continuous", the task vln declares "discrete"',
    );
    expect(String(error)).toContain(
      'image_layout: the policy declares "chw", the task vln declares "hwc"',
    );
    expect(String(error)).not.toMatch(/color_order|mood/);
    expect(policy.of("error")).toMatchObject([{ code: "convention_mismatch", fatal: true }]);
  });

  it("checks before the run reject two sessions with a policy that serves one", async () => {
    let connections = 0;
    const policy = await RawPolicy.listen({
      on: {
        connect: (message, peer) =>
          connections++ === 0
            ? peer.answer(message)
            : peer.send({ type: "error", code: "busy", message: "no", fatal: true }),
      },
    });
    expect(await refusal(policy.url, {}, { concurrency: 2 })).toMatchObject({ code: "busy" });
  });

  it.each(["ws://", "ws://a|b", "listen:high", "listen:99999", "listen:"])(
    "checks before the run reject the address %s",
    async (spec) => {
      expect(await refusal(spec)).toMatchObject({ code: "bad_agent" });
    },
  );
});

describe("a sensor that the policy requests and the task lacks", () => {
  it("a sensor that the policy requests and the task lacks stops the run at its first episode", async () => {
    const policy = await RawPolicy.listen({ capabilities: { sensors: ["lidar"] } });
    await expect(evaluate(world(), policy.url)).rejects.toMatchObject({
      code: "missing_sensor",
      exitCode: 2,
    });
    expect(policy.of("reset_episode")).toEqual([]);
  });
});

describe("the policy token", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("the policy token is read from the environment, so that no file contains it", async () => {
    vi.stubEnv("ROBOT_EVAL_POLICY_TOKEN", "of the environment");
    const policy = await RawPolicy.listen();
    await evaluate(world({}, oneEpisode), policy.url);
    expect(policy.of("connect")[0]).toMatchObject({ token: "of the environment" });
  });
});

describe("policies that dial in", () => {
  /** Starts a run that listens; returns it with its address. */
  function listening(place: TinyWorld, options: EvaluatorOptions = {}) {
    const registries = createRegistries();
    let heard: (url: string) => void = () => {};
    const url = new Promise<string>((resolve) => {
      heard = resolve;
    });
    const say = (text: string) => heard(/ws:\S+\d/.exec(text)?.[0] ?? "");
    registries.agents.register("in", new RemotePolicies(say).listening);
    return { url, run: evaluate(place, "in:127.0.0.1:0", { ...options, registries }) };
  }

  it("policies that dial in are given the address to dial, and run the episodes", async () => {
    const { url, run } = listening(world({}, oneEpisode));
    const policy = await RawPolicy.dial(await url, { on: { get_action: leading } });
    expect(onlyLine(await run)).toMatchObject({ outcome: "success" });
    expect(policy.of("disconnect")).toHaveLength(1);
  });

  it("policies that dial in share the episodes", async () => {
    const { url, run } = listening(world(), { concurrency: 2 });
    const policies = [await RawPolicy.dial(await url), await RawPolicy.dial(await url)];
    expect((await run).results.episodes).toMatchObject({ total: 4, invalid: 0 });
    expect(policies.map((policy) => policy.of("reset_episode").length)).toEqual([2, 2]);
  });

  it("policies that dial in must send the token", async () => {
    vi.stubEnv("ROBOT_EVAL_POLICY_TOKEN", "right");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url, run } = listening(world({}, oneEpisode));
    const wrong = await RawPolicy.dial(await url);
    await RawPolicy.dial(await url, {}, { token: "right" });
    await run;
    expect(wrong.of("error")).toMatchObject([{ code: "unauthorized", fatal: true }]);
  });

  it("a run that listens stops if no policy connects in time", async () => {
    const { run } = listening(world({ connect_timeout: 0.02, cold_start_timeout: 0.02 }));
    await expect(run).rejects.toMatchObject({ code: "no_policy" });
  });
});
