import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../core/episode/base.js";
import type { Action } from "../core/interfaces/action.js";
import type { Observation } from "../core/interfaces/observation.js";
import { Random } from "../core/math/random.js";
import type { PerturbationAxis } from "../core/perturbation/axis.js";
import { ActionSpace } from "../core/task/types.js";
import { createRegistries } from "./registries.js";

const AXES = [...createRegistries().axes.entries()];
const INTERFACE = AXES.filter(([, { kind }]) => kind === "interface");

const SPACES = [
  new ActionSpace({ name: "discrete", actions: ["stop", "move_forward", "turn_left"] }),
  new ActionSpace({ name: "hybrid", actions: ["stop"], shape: [2], range: [-1, 2] }),
];

function episode(id: string, text: string): BaseEpisode {
  return new BaseEpisode({
    ...{ episodeId: id, taskType: "vln", sceneId: "flat" },
    instruction: { text, tokens: [5, 9, 3, 7, 0, 0] },
  });
}

const EPISODES = [
  episode("1", "Walk past the couch and turn left."),
  episode("2", "Leave the kitchen, turn right and stop."),
];

/** Observations of five steps, the same for the same seed. */
function observations(seed: number): Observation[] {
  const random = new Random(seed);
  const [width, height] = [20, 12];
  const pixels = width * height;
  return Array.from({ length: 5 }, (_, step) => ({
    rgb: {
      ...{ kind: "rgb", width, height },
      data: new Uint8Array(3 * pixels).map(() => random.below(256)),
    },
    depth_head: {
      ...{ kind: "depth", width, height },
      data: new Float32Array(pixels).map(() => 5 * random.uniform()),
    },
    gps: [step, 0],
  }));
}

interface Passed {
  readonly instruction: unknown;
  readonly seen: readonly unknown[];
  readonly actions: readonly Action[];
}

/** What passes through an axis's channel in one episode. */
function pass(axis: PerturbationAxis, level: number, seed: number): Passed {
  const value = level === 0 ? axis.neutral : (axis.levels[level - 1] ?? Number.NaN);
  const [first] = EPISODES;
  if (!first) throw new Error("there is no episode");
  const draw = { value, level, seed, settings: {}, episodeKey: "vln/flat/1", episodes: EPISODES };
  const { parameters = {} } = axis.perturb?.(first, draw) ?? {};
  const channel = axis.channel?.({ value, seed, parameters }) ?? {};
  const random = new Random(seed);
  return {
    instruction: channel.instruction?.(first.instruction) ?? first.instruction,
    seen: observations(seed).map((observation) => ({
      ...(channel.observe?.(observation) ?? observation),
    })),
    actions: SPACES.flatMap((space) =>
      Array.from({ length: 20 }, () => {
        const action = space.sample(random);
        return channel.act?.(action, space) ?? action;
      }),
    ),
  };
}

function unperturbed(seed: number): Passed {
  const random = new Random(seed);
  return {
    instruction: EPISODES[0]?.instruction,
    seen: observations(seed),
    actions: SPACES.flatMap((space) => Array.from({ length: 20 }, () => space.sample(random))),
  };
}

const seeds = fc.integer({ min: 0, max: 2 ** 40 });
const FEW = { numRuns: 4 };

describe.each(INTERFACE)("the axis %s", (name, axis) => {
  it("an axis changes nothing at level 0", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(pass(axis, 0, seed)).toEqual(unperturbed(seed));
      }),
      FEW,
    );
  });

  it("an axis gives the same result for the same seed", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const level of axis.levels.keys()) {
          expect(pass(axis, level + 1, seed)).toEqual(pass(axis, level + 1, seed));
        }
      }),
      FEW,
    );
  });

  it("an axis changes something at its strongest level, and other things than its weakest", () => {
    if (axis.latencySteps) {
      expect(axis.levels.map(axis.latencySteps)).toEqual([1, 3, 8]);
      return;
    }
    const strongest = pass(axis, axis.levels.length, 7);
    expect(strongest).not.toEqual(unperturbed(7));
    // Random draws and whole numbers can make single levels equal, but not on 5 steps and 20 actions.
    if (axis.levels.length > 1 && name !== "observation_delay") {
      expect(strongest).not.toEqual(pass(axis, 1, 7));
    }
  });

  it("an axis leaves images of the sensor, which others may read, unchanged", () => {
    const [observation] = observations(3);
    const [copy] = observations(3);
    if (!observation) throw new Error("there is no observation");
    const value = axis.levels.at(-1) ?? axis.neutral;
    const channel = axis.channel?.({ value, seed: 3, parameters: {} });
    void { ...channel?.observe?.(observation) };
    expect(observation).toEqual(copy);
  });
});

describe("the axes", () => {
  it("the axes have levels of increasing strength", () => {
    for (const [name, { levels, neutral }] of AXES) {
      const strengths = levels.map((value) => Math.abs(value - neutral));
      expect(
        strengths.every((value) => value > 0),
        name,
      ).toBe(true);
      expect(strengths, name).toEqual([...strengths].sort((a, b) => a - b));
    }
  });

  it("the axes read images only when the policy does", () => {
    for (const [name, axis] of INTERFACE) {
      let reads = 0;
      const observation = Object.defineProperty({}, "rgb", {
        enumerable: true,
        get: () => {
          reads++;
          return undefined;
        },
      });
      const value = axis.levels[0] ?? 0;
      axis.channel?.({ value, seed: 1, parameters: {} }).observe?.(observation);
      expect(reads, name).toBe(0);
    }
  });
});

describe("instruction axes", () => {
  const change = (name: string, level: number, seed = 1) => {
    const axis = createRegistries().axes.get(name);
    return pass(axis, level, seed).instruction as { text: string; tokens?: number[] };
  };

  it("instruction axes paraphrase with phrases of the same meaning, more of them at each level", () => {
    const texts = [1, 2, 3].map((level) => change("instruction_paraphrase", level).text);
    expect(texts[2]).toMatch(/^(Go past|Pass) the sofa and (go|take a) left\.$/);
    expect(new Set(texts).size).toBe(3);
  });

  it("instruction axes shuffle words and tokens without losing any", () => {
    const { text, tokens } = change("instruction_shuffle", 3);
    const words = (given: string | undefined) => given?.split(" ").sort();
    expect(words(text)).toEqual(words(EPISODES[0]?.instruction.text));
    expect(tokens?.slice(0, 4).sort()).toEqual([3, 5, 7, 9]);
    expect(tokens?.slice(4)).toEqual([0, 0]);
  });

  it("instruction axes remove words until none is left", () => {
    expect(change("instruction_empty", 3)).toEqual({ text: "", tokens: [0, 0, 0, 0, 0, 0] });
    expect(change("instruction_empty", 1).text).toBe("Walk past the couch and");
  });

  it("instruction axes exchange the instruction for that of another episode", () => {
    expect(change("instruction_other", 1)).toEqual(EPISODES[1]?.instruction);
  });
});
