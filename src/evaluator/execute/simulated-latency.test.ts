import { describe, expect, it } from "vitest";
import {
  doing,
  evaluate,
  onlyLine,
  tinyEpisode,
  tinyWorld,
} from "../../../test/support/tiny-world.js";
import type { Action } from "../../core/interfaces/action.js";
import type { SimulatorFrame } from "../../core/interfaces/simulator.js";
import { stillThinking } from "./simulated-latency.js";

const ANSWERS = ["turn_left", "turn_right", "stop"];

const slowWorld = (latency: Readonly<Record<string, unknown>>) =>
  tinyWorld({
    episodes: [tinyEpisode("a", "e")],
    evaluation: { simulated_latency: latency },
    config: { metrics: ["success", "steps_taken"] },
  });

describe("a policy with simulated latency", () => {
  it("a policy with simulated latency repeats its last action until the new one takes effect", async () => {
    let asked = 0;
    const agent = doing((step) => {
      asked++;
      return ANSWERS[step];
    });
    const { steps } = onlyLine(await evaluate(slowWorld({ steps: 2 }), agent));
    // left, (left, left,) right, (right, right,) stop
    expect({ steps, asked }).toEqual({ steps: 7, asked: 3 });
  });

  it("a policy with simulated latency delays a policy once per chunk of actions", async () => {
    let next = 0;
    const agent = {
      get prepared() {
        return next > 0;
      },
      reset: () => {},
      act: (): Action => ANSWERS[next++] ?? "stop",
    };
    const { steps } = onlyLine(await evaluate(slowWorld({ steps: 2 }), () => agent));
    expect(steps).toBe(3);
  });

  it("a policy with simulated latency gives the same results with a latency of 0", async () => {
    const { steps } = onlyLine(
      await evaluate(
        slowWorld({ steps: 0 }),
        doing((step) => ANSWERS[step]),
      ),
    );
    expect(steps).toBe(3);
  });

  it("a policy with simulated latency needs a latency in steps if the simulator has no clock", async () => {
    const line = onlyLine(
      await evaluate(
        slowWorld({ seconds: 0.1 }),
        doing((step) => ANSWERS[step]),
      ),
    );
    expect(line.outcome).toBe("invalid");
    expect(line.explanation).toContain("simulated_latency: {steps: 2}");
  });
});

describe("success against latency", () => {
  /** Each next episode takes one look around more before the policy stops, where it is right to stop. */
  const episodes = [1, 2, 3, 4].map((looks) =>
    tinyEpisode("a", "b", { episodeId: `looks-${looks}` }),
  );
  const lookingAround = doing((step, { episodeId }) =>
    step < Number(episodeId.slice(-1)) ? "turn_left" : "stop",
  );

  async function successes(steps: number): Promise<(number | null | undefined)[]> {
    const world = tinyWorld({
      episodes,
      evaluation: { simulated_latency: { steps }, max_steps: 9 },
      // Where a stop is needed, too slow is too late.
      config: { profile: "vlnce", metrics: ["success"] },
    });
    const { lines } = await evaluate(world, lookingAround);
    return lines.map(({ metrics }) => metrics.success);
  }

  it("success falls with the latency and is the same in every run", async () => {
    const curve = [];
    for (const steps of [0, 1, 2, 3, 7, 8]) curve.push(await successes(steps));
    // Looks times (1 + latency), then stop: that many of nine steps.
    expect(curve).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
      [1, 1, 0, 0],
      [1, 1, 0, 0],
      [1, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    expect(await successes(3)).toEqual(curve[3]);
  });
});

describe("a latency in seconds", () => {
  const at = (timeS: number): SimulatorFrame => ({ observation: {}, state: {}, timeS });

  it("a latency in seconds tolerates rounding of the simulated clock", () => {
    const seconds = { seconds: 0.3 };
    const now = 0.1 + 0.2;
    expect(stillThinking(seconds, { asked: at(0), frame: at(0.25), waited: 5 })).toBe(true);
    expect(stillThinking(seconds, { asked: at(0), frame: at(now), waited: 6 })).toBe(false);
    expect(stillThinking(seconds, { asked: at(1), frame: at(1 + 6 * 0.05), waited: 6 })).toBe(
      false,
    );
  });
});
