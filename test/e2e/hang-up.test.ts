import { describe, expect, it, vi } from "vitest";
import {
  type RawConnection,
  RawPolicy,
  type Wire,
} from "../../src/api/websocket/raw-peer.fixture.js";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { type CliResult, episodeDict, linesOf, makeWorld, robotEvalHere } from "../support/cli.js";
import { stopClock } from "../support/clock.js";

/** Each starts where it would be enough to stop. From every sixth the policy walks away, and knows it. */
const EPISODES = Array.from({ length: 12 }, (_, i) => episodeDict(String(i), "b", "a"));
const LOST = EPISODES.filter(({ episode_id }) => Number(episode_id) % 6 === 0);
const RATE = 1 - LOST.length / EPISODES.length;

/** Elapses only on a clock that is stopped and advanced. */
const ACTION_TIMEOUT_S = 120;

type Ruse = (message: Wire, peer: RawConnection) => void;

/**
 * What the policy does when it is asked in an episode that it is about to lose.
 *
 * @param from the step from which it does so; before that it walks away from the goal
 */
function policyThat(ruse: Ruse | undefined, from = 1, plain = false): Promise<RawPolicy> {
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
        if (losing && ruse && step >= from) ruse(message, peer);
        else peer.answer(message, { action: losing && step === 0 ? "goto:c" : "stop" });
      },
    },
  });
}

interface Played extends CliResult {
  readonly results: RunResults;
}

async function played({ url }: RawPolicy): Promise<Played> {
  const world = makeWorld(EPISODES);
  const times = ["reconnect_grace=0.05", `action_timeout=${ACTION_TIMEOUT_S}`];
  const cli = await robotEvalHere([
    ...["run", world.yaml, "--agent", url, "--out", world.out, "--json", "--workers", "1"],
    ...times.flatMap((time) => ["--set", `policy.${time}`]),
  ]);
  return { ...cli, results: JSON.parse(cli.stdout) };
}

const RUSES: Readonly<Record<string, Ruse>> = {
  "cuts the line": (_, peer) => peer.cut(),
  "says goodbye": (_, peer) => peer.socket.close(1000, "that is all"),
  "says that it failed": ({ seq }, peer) =>
    peer.send({ type: "error", code: "oom", message: "out of memory", fatal: false, re_seq: seq }),
  "says that it failed for good": (_, peer) =>
    peer.send({ type: "error", code: "oom", message: "out of memory", fatal: true }),
  "falls silent": () => void vi.advanceTimersByTime(ACTION_TIMEOUT_S * 1000),
  "sends nonsense": (message, peer) => peer.answer(message, { action: "fly" }),
  "sends what is no message": (_, peer) => peer.send("{"),
};

describe("a policy that is about to fail", { timeout: 240_000 }, () => {
  it("and continues has its true success rate", async () => {
    const { code, results } = await played(await policyThat(undefined));
    expect(code).toBe(0);
    expect(results.aggregated_metrics.success?.mean).toBeCloseTo(RATE, 12);
    expect(results.aggregated_metrics.success).not.toHaveProperty("mean_without_agent_faults");
  });

  it.each(Object.entries(RUSES))("and %s gains nothing by it", async (_, ruse) => {
    const policy = await policyThat(ruse);
    if (ruse === RUSES["falls silent"]) stopClock();
    const { results, stderr } = await played(policy);
    const { success } = results.aggregated_metrics;
    expect(success?.mean, stderr).toBeCloseTo(RATE, 12);
    expect(success).toMatchObject({ count: EPISODES.length, n_invalid: 0 });
    // Said beside it, never in its place.
    expect(success?.mean_without_agent_faults).toBe(1);
    const lost = (await linesOf(results.run_dir)).filter(({ fault }) => fault === "agent");
    expect(lost.map(({ episode_id }) => episode_id).sort()).toEqual(
      LOST.map(({ episode_id }) => episode_id).sort(),
    );
    for (const line of lost)
      expect(line).toMatchObject({ outcome: "failure", metrics: { success: 0 } });
    expect(results.broken_off_episodes).toHaveLength(LOST.length);
  });

  it("and cannot resume gains nothing by disconnecting", async () => {
    const { results } = await played(await policyThat(RUSES["cuts the line"], 1, true));
    expect(results.aggregated_metrics.success?.mean).toBeCloseTo(RATE, 12);
  });

  it("and does not begin the episode makes the run fail instead of improving its rate", async () => {
    const { code, stderr, results } = await played(await policyThat(RUSES["cuts the line"], 0));
    expect(code).toBe(3);
    expect(stderr).toContain("too many invalid episodes: 2 of 12");
    expect(results.aggregated_metrics.success).toMatchObject({ count: 10, n_invalid: 2 });
    expect(results.invalid_episodes.map(({ fault }) => fault)).toEqual(LOST.map(() => "agent"));
  });
});
