import type { Observation } from "../core/interfaces/observation.js";
import { Random } from "../core/math/random.js";
import type { PerturbationAxis } from "../core/perturbation/axis.js";

const INTERFACE = { kind: "interface", neutral: 0, missing: () => undefined } as const;

export const observationDelay: PerturbationAxis = {
  ...INTERFACE,
  description: "the policy sees an earlier state; the first observation until then",
  parameter: "age of the observation",
  unit: "control steps",
  levels: [1, 3, 8],
  isObserved: true,
  channel: ({ value }) => {
    const seen: Observation[] = [];
    return {
      observe: (observation) => {
        seen.push(observation);
        if (seen.length > value + 1) seen.shift();
        return seen[0] ?? observation;
      },
    };
  },
};

export const frameDrop: PerturbationAxis = {
  ...INTERFACE,
  description: "observations are lost; the policy gets the last one again",
  parameter: "share of lost observations",
  unit: "",
  levels: [0.1, 0.3, 0.7],
  isObserved: true,
  channel: ({ value, seed }) => {
    const random = new Random(seed);
    let last: Observation | undefined;
    return {
      observe: (observation) => {
        const isLost = random.uniform() < value;
        if (!isLost || !last) last = observation;
        return last;
      },
    };
  },
};

/** See `evaluation.simulated_latency`, which this sets. */
export const latency: PerturbationAxis = {
  ...INTERFACE,
  description: "the robot continues with its last action until the policy's answer takes effect",
  parameter: "latency of the policy",
  unit: "control steps",
  levels: [1, 3, 8],
  missing: ({ hasLatency }) =>
    hasLatency ? "the benchmark sets its own evaluation.simulated_latency" : undefined,
  latencySteps: (value) => value,
};
