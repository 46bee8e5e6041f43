import { describe, expect, it, vi } from "vitest";
import {
  type RawConnection,
  RawPolicy,
  type Wire,
} from "../../src/api/websocket/raw-peer.fixture.js";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { type CliResult, episodeDict, linesOf, makeWorld, robotEvalHere } from "../support/cli.js";
import { stopClock } from "../support/clock.js";

/** Each starts at its goal, so `stop` succeeds. In every sixth the policy walks away from it and so fails. */
const EPISODES = Array.from({ length: 12 }, (_, i) => episodeDict(String(i), "b", "a"));
const LOST = EPISODES.filter(({ episode_id }) => Number(episode_id) % 6 === 0);
const RATE = 1 - LOST.length / EPISODES.length;

/** Only elapses when the test advances its stopped clock. */
const ACTION_TIMEOUT_S = 120;

type Disruption = (message: Wire, peer: RawConnection) => void;

/**
 * A policy that disrupts the episodes in which it is about to fail, instead of answering.
 *
 * @param from first step with the disruption; before that it walks away from the goal
 */
function policyWith(disrupt: Disruption | undefined, from = 1, plain = false): Promise<RawPolicy> {
  let losing = false;
  return RawPolicy.listen({
    plain,
    on: {
      reset_episode: (message, peer) => {
        const { episode_id } = message.episode as { readonly episode_id: string };
        losing = Number(episode_id) % 6 === 0;
        peer.answer(message);
      },
      get_action: (message, peer) => {
        const step = Number(message.step);
        if (losing && disrupt && step >= from) disrupt(message, peer);
        else peer.answer(message, { action: losing && step === 0 ? "goto:c" : "stop" });
      },
    },
  });
}

interface EndedRun extends CliResult {
  readonly results: RunResults;
}

async function evaluateWith({ url }: RawPolicy): Promise<EndedRun> {
  const world = makeWorld(EPISODES);
  const times = ["reconnect_grace=0.05", `action_timeout=${ACTION_TIMEOUT_S}`];
  const cli = await robotEvalHere([
    ...["run", world.yaml, "--agent", url, "--out", world.out, "--json", "--workers", "1"],
    ...times.flatMap((time) => ["--set", `policy.${time}`]),
  ]);
  return { ...cli, results: JSON.parse(cli.stdout) };
}

const DISRUPTIONS: Readonly<Record<string, Disruption>> = {
  "cuts the connection": (_, peer) => peer.cut(),
  "closes the connection normally": (_, peer) => peer.socket.close(1000, "that is all"),
  "reports an error": ({ seq }, peer) =>
    peer.send({ type: "error", code: "oom", message: "out of memory", fatal: false, re_seq: seq }),
  "reports a fatal error": (_, peer) =>
    peer.send({ type: "error", code: "oom", message: "out of memory", fatal: true }),
  "does not answer": () => void vi.advanceTimersByTime(ACTION_TIMEOUT_S * 1000),
  "sends an invalid action": (message, peer) => peer.answer(message, { action: "fly" }),
  "sends invalid JSON": (_, peer) => peer.send("{"),
};

describe("a policy that is about to fail", { timeout: 240_000 }, () => {
  it("a policy that finishes its episodes has its true success rate", async () => {
    const { code, results } = await evaluateWith(await policyWith(undefined));
    expect(code).toBe(0);
    expect(results.aggregated_metrics.success?.mean).toBeCloseTo(RATE, 12);
    expect(results.aggregated_metrics.success).not.toHaveProperty("mean_without_agent_faults");
  });

  it.each(Object.entries(DISRUPTIONS))(
    "a policy does not gain success rate if it %s",
    async (_, disrupt) => {
      const policy = await policyWith(disrupt);
      if (disrupt === DISRUPTIONS["does not answer"]) stopClock();
      const { results, stderr } = await evaluateWith(policy);
      const { success } = results.aggregated_metrics;
      expect(success?.mean, stderr).toBeCloseTo(RATE, 12);
      expect(success).toMatchObject({ count: EPISODES.length, n_invalid: 0 });
      // The mean without broken-off episodes is a separate field, so a policy cannot raise its score by disconnecting.
      expect(success?.mean_without_agent_faults).toBe(1);
      const lost = (await linesOf(results.run_dir)).filter(({ fault }) => fault === "agent");
      expect(lost.map(({ episode_id }) => episode_id).sort()).toEqual(
        LOST.map(({ episode_id }) => episode_id).sort(),
      );
      for (const line of lost)
        expect(line).toMatchObject({ outcome: "failure", metrics: { success: 0 } });
      expect(results.broken_off_episodes).toHaveLength(LOST.length);
    },
  );

  it("a policy that cannot resume does not gain success rate by cutting the connection", async () => {
    const cut = await policyWith(DISRUPTIONS["cuts the connection"], 1, true);
    const { results } = await evaluateWith(cut);
    expect(results.aggregated_metrics.success?.mean).toBeCloseTo(RATE, 12);
  });

  it("a run fails for too many invalid episodes if the policy cuts the connection at step 0", async () => {
    const cut = await policyWith(DISRUPTIONS["cuts the connection"], 0);
    const { code, stderr, results } = await evaluateWith(cut);
    expect(code).toBe(3);
    expect(stderr).toContain("too many invalid episodes: 2 of 12");
    expect(results.aggregated_metrics.success).toMatchObject({ count: 10, n_invalid: 2 });
    expect(results.invalid_episodes.map(({ fault }) => fault)).toEqual(LOST.map(() => "agent"));
  });
});
