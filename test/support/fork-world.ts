import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { type LoadedConfig, loadConfig } from "../../src/config/load.js";
import type { BaseEpisode } from "../../src/core/episode/base.js";
import type { Agent } from "../../src/core/interfaces/agent.js";
import { isImage, type Observation } from "../../src/core/interfaces/observation.js";
import type { BaseSimulator, SimulatorFrame } from "../../src/core/interfaces/simulator.js";
import type { ActionSpace } from "../../src/core/task/types.js";
import { createRegistries, type Registries } from "../../src/registry/registries.js";
import { temporaryFolder } from "./cli.js";

/**
 * A world with one decision: the goal is to the left or to the right. The instruction names the side, and the image is
 * red for left and blue for right. So a policy may read either of them, and its weakness is known.
 */

type Side = "left" | "right";
const SIDE = 8;
const BRIGHT = 200;
/** Below this the looking policy does not recognise the colour. */
const DARK = 100;

export function forkBenchmark(episodes = 40, folder = temporaryFolder()): LoadedConfig {
  const list = Array.from({ length: episodes }, (_, i) => {
    const side: Side = i % 2 === 0 ? "left" : "right";
    return {
      episode_id: String(i),
      task_type: "vln",
      scene_id: "fork",
      start_state: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
      goals: { position: [side === "left" ? -5 : 5, 0, 0], radius: 0.2 },
      instruction: { text: `Walk to the ${side}.` },
    };
  });
  writeFileSync(
    join(folder, "episodes.json"),
    JSON.stringify({ format: "robot-eval-episodes/1", episodes: list }),
  );
  const file = join(folder, "fork.yaml");
  writeFileSync(
    file,
    stringify({
      benchmark: { name: "fork" },
      vln_task: { type: "vln", config: { metrics: ["success"], max_steps: 5 } },
      dataset: { vln: { type: "vln", data_path: join(folder, "episodes.json") } },
      simulator: { backend: "fork" },
    }),
  );
  return loadConfig(file);
}

/** Registries with the simulator and two policies: `reads` and `looks`. */
export function forkRegistries(): Registries {
  const registries = createRegistries();
  registries.simulators.register("fork", {
    description: "of a test",
    families: ["navigation"],
    sensors: ["rgb", "instruction"],
    observesAll: true,
    create: ({ task }) => new ForkSimulator(task.actionSpace),
  });
  registries.agents.register("reads", {
    description: "turns to the side that the instruction names",
    create: () => policy(({ instruction }) => sideIn(instruction)),
  });
  registries.agents.register("looks", {
    description: "turns to the side of the image's colour, unless it is dark",
    create: () => policy(({ rgb }) => sideOf(rgb)),
  });
  return registries;
}

function policy(decide: (observation: Observation) => Side | undefined): Agent {
  let isDecided = false;
  return {
    reset: () => {
      isDecided = false;
    },
    act: (observation) => {
      const side = decide(observation);
      if (isDecided || side === undefined) return "stop";
      isDecided = true;
      return side === "left" ? "turn_left" : "turn_right";
    },
  };
}

function sideIn(instruction: unknown): Side | undefined {
  const text = JSON.stringify(instruction);
  return text.includes("left") ? "left" : text.includes("right") ? "right" : undefined;
}

function sideOf(image: unknown): Side | undefined {
  if (!isImage(image)) return undefined;
  const [red = 0, , blue = 0] = image.data;
  if (Math.max(red, blue) < DARK) return undefined;
  return red > blue ? "left" : "right";
}

class ForkSimulator implements BaseSimulator {
  #goal = 0;
  #x = 0;
  #episode: BaseEpisode | undefined;

  constructor(readonly actionSpace: ActionSpace) {}

  reset(episode: BaseEpisode): SimulatorFrame {
    this.#episode = episode;
    this.#goal = episode.goals.position?.[0] ?? 0;
    this.#x = 0;
    return this.#frame();
  }

  step(action: unknown): SimulatorFrame {
    if (action === "turn_left") this.#x = -5;
    if (action === "turn_right") this.#x = 5;
    return this.#frame();
  }

  close(): void {}

  #frame(): SimulatorFrame {
    const isLeft = this.#goal < 0;
    const data = new Uint8Array(3 * SIDE * SIDE).map((_, i) =>
      i % 3 === (isLeft ? 0 : 2) ? BRIGHT : 0,
    );
    return {
      observation: {
        rgb: { kind: "rgb", width: SIDE, height: SIDE, data },
        instruction: this.#episode?.instruction,
      },
      state: {
        position: [this.#x, 0, 0],
        distance_to_goal: Math.abs(this.#goal - this.#x),
      },
    };
  }
}
