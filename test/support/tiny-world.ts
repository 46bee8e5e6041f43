import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { stringify } from "yaml";
import { parseConfig } from "../../src/config/load.js";
import { BaseEpisode, type EpisodeInit } from "../../src/core/episode/base.js";
import type { Action } from "../../src/core/interfaces/action.js";
import type { Agent, AgentEpisode, AgentFactory } from "../../src/core/interfaces/agent.js";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import type { MaybePromise } from "../../src/core/interfaces/simulator.js";
import { headingToQuatXyzw } from "../../src/core/math/rotation.js";
import type { Vec3 } from "../../src/core/math/vec3.js";
import { type GraphSource, NavGraph } from "../../src/core/scene/graph.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { createRegistries, type Registries } from "../../src/registry/registries.js";

/**
 * Six viewpoints in Habitat's axes (x right, y up, -z forward). `d` is one step higher than the rest, and
 * `f` is an island.
 *
 *     c ---- d          z = -4
 *     |     /
 *     b -- e            z = -2
 *     |
 *     a            f    z =  0
 */
const NODES = {
  a: [0, 0, 0],
  b: [0, 0, -2],
  c: [0, 0, -4],
  d: [3, 1, -4],
  e: [2, 0, -2],
  f: [10, 0, 0],
} as const satisfies Readonly<Record<string, Vec3>>;

export type TinyNode = keyof typeof NODES;

const EDGES = [
  ["a", "b"],
  ["b", "c"],
  ["c", "d"],
  ["b", "e"],
  ["e", "d"],
] as const satisfies readonly (readonly [TinyNode, TinyNode])[];

const TINY_SCENE = "tiny";

const ids = Object.keys(NODES) as TinyNode[];

export function tinyGraph(): NavGraph {
  return new NavGraph(
    TINY_SCENE,
    ids.map((id) => ({ id, position: NODES[id] })),
    EDGES.map(([from, to]) => [ids.indexOf(from), ids.indexOf(to)]),
  );
}

export function tinyGraphs(): GraphSource {
  const graph = tinyGraph();
  return { graph: () => Promise.resolve(graph) };
}

/** From one viewpoint to another, at first looking along -z or as `heading` (radians) says. */
export function tinyEpisode(
  from: TinyNode,
  to: TinyNode,
  more: Partial<EpisodeInit> & { readonly heading?: number } = {},
): BaseEpisode {
  const { heading = 0, ...init } = more;
  const path = tinyGraph().shortestPath(from, to) as TinyNode[];
  return new BaseEpisode({
    episodeId: `${from}-${to}`,
    taskType: "vln",
    sceneId: TINY_SCENE,
    startState: {
      position: [...NODES[from]],
      rotation: [...headingToQuatXyzw(heading)],
      node: from,
    },
    goals: { position: [...NODES[to]], node: to, radius: 3 },
    instruction: { text: `Go from ${from} to ${to}` },
    referenceData: { path: path.map((node) => [...NODES[node]]), nodes: path },
    taskConfig: { secret: "the answer" },
    ...init,
  });
}

/** A folder that is deleted after the test. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "robot-eval-tiny-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Matterport's own file format: z up, row-major 4x4 poses. */
function writeConnectivity(dir: string): void {
  const joined = (i: TinyNode, j: TinyNode) =>
    EDGES.some(([a, b]) => (a === i && b === j) || (a === j && b === i));
  const viewpoints = ids.map((id) => {
    const [x, y, z] = NODES[id];
    return {
      image_id: id,
      pose: [1, 0, 0, x, 0, 1, 0, 0 - z, 0, 0, 1, y, 0, 0, 0, 1],
      included: true,
      visible: ids.map(() => true),
      unobstructed: ids.map((other) => joined(id, other)),
      height: 1.5,
    };
  });
  mkdirSync(join(dir, "connectivity"), { recursive: true });
  writeFileSync(
    join(dir, "connectivity", `${TINY_SCENE}_connectivity.json`),
    JSON.stringify(viewpoints),
  );
}

export interface TinyWorld {
  readonly dir: string;
  /** The content of its benchmark file. */
  readonly benchmark: Readonly<Record<string, unknown>>;
}

const DEFAULT_EPISODES = () => [
  tinyEpisode("a", "d"),
  tinyEpisode("c", "e"),
  tinyEpisode("d", "a"),
  tinyEpisode("e", "c"),
];

/** Writes graph and episodes into a temporary folder and returns a benchmark that uses them. */
export function tinyWorld(
  options: {
    readonly episodes?: readonly BaseEpisode[];
    /** The tasks' type, if it is not vln. */
    readonly type?: string;
    /** Names of the tasks; all have the same episodes. */
    readonly tasks?: readonly string[];
    /** The tasks' `config:`. */
    readonly config?: Readonly<Record<string, unknown>>;
    readonly evaluation?: Readonly<Record<string, unknown>>;
    /** Additional or replaced config sections. */
    readonly sections?: Readonly<Record<string, unknown>>;
  } = {},
): TinyWorld {
  const { episodes = DEFAULT_EPISODES(), type = "vln", tasks = ["vln"] } = options;
  const dir = tempDir();
  writeConnectivity(dir);
  const config = { profile: "r2r", metrics: ["success", "spl"], ...options.config };
  const file = join(dir, "episodes.jsonl");
  writeFileSync(file, episodes.map((episode) => `${JSON.stringify(episode.toDict())}\n`).join(""));
  return {
    dir,
    benchmark: {
      benchmark: { name: "Tiny world" },
      ...Object.fromEntries(tasks.map((name) => [`${name}_task`, { type, config }])),
      dataset: Object.fromEntries(tasks.map((name) => [name, { type, data_path: file }])),
      evaluation: { max_steps: 40, timeout: 20, seed: 7, ...options.evaluation },
      output: { log_dir: join(dir, "runs") },
      ...options.sections,
    },
  };
}

export interface TinyRun {
  readonly results: RunResults;
  /** In the order in which episodes ended. */
  readonly lines: readonly EpisodeLine[];
}

/** Runs the benchmark, by default without writing files. `agent` may be a test agent. */
export async function evaluate(
  world: TinyWorld,
  agent: string | AgentFactory["create"] | AgentFactory,
  options: EvaluatorOptions = {},
): Promise<TinyRun> {
  const registries = options.registries ?? createRegistries();
  const lines: EpisodeLine[] = [];
  const config = parseConfig(stringify(world.benchmark), {
    file: join(world.dir, "benchmark.yaml"),
  });
  const results = await new UnifiedRobotEvaluator(config, {
    outDir: null,
    ...options,
    registries,
    agent: agentName(agent, registries),
    onEvent: (event) => {
      if (event.type === "episode") lines.push(event.line);
      options.onEvent?.(event);
    },
  }).run();
  return { results, lines };
}

/** The line of a run of one episode. */
export function onlyLine({ lines }: TinyRun): EpisodeLine {
  const [line, ...more] = lines;
  if (!line || more.length > 0) throw new Error(`the run has ${lines.length} episodes`);
  return line;
}

/** Agents that send the given value in each step; policies may send anything. */
export function doing(act: (step: number, episode: AgentEpisode) => unknown): () => Agent {
  return () => {
    let step = 0;
    let current: AgentEpisode | undefined;
    return {
      reset: (episode) => {
        current = episode;
        step = 0;
      },
      act: () => {
        if (!current) throw new Error("act() before reset()");
        return act(step++, current) as MaybePromise<Action>;
      },
    };
  };
}

function agentName(agent: Parameters<typeof evaluate>[1], registries: Registries): string {
  if (typeof agent === "string") return agent;
  const factory = typeof agent === "function" ? { create: agent, description: "of a test" } : agent;
  registries.agents.register("of-test", factory);
  return "of-test";
}
