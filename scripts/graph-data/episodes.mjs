// Selects the episodes of a house.
import { between, round } from "./geometry.mjs";
import { Instruction } from "./instructions.mjs";

/** Path lengths as in R2R: too long to be solved by chance, short enough to be described in words. */
const MIN_DISTANCE = 5;
const MAX_DISTANCE = 25;
const MIN_HOPS = 3;

/** Selects pairs of distant nodes; each node is the start of at most two episodes and the goal of at most two. */
export function chooseEpisodes(random, house, graph, count) {
  const ends = [...house.nodes.values()].filter(({ kind }) =>
    ["room", "spot", "entrance"].includes(kind),
  );
  const pairs = random.shuffle(ends.flatMap((a) => ends.map((b) => [a.id, b.id])));
  const starts = new Map();
  const goals = new Map();
  const chosen = [];
  for (const [start, goal] of pairs) {
    const nodes = graph.shortestPath(start, goal);
    const metres = graph.distance(graph.place(start), graph.place(goal));
    if (metres < MIN_DISTANCE || metres > MAX_DISTANCE || nodes.length <= MIN_HOPS) continue;
    if ((starts.get(start) ?? 0) >= 2 || (goals.get(goal) ?? 0) >= 2) continue;
    starts.set(start, (starts.get(start) ?? 0) + 1);
    goals.set(goal, (goals.get(goal) ?? 0) + 1);
    chosen.push(episode(random, house, graph, nodes));
    if (chosen.length === count) return chosen;
  }
  throw new Error(`${house.scene}: found ${chosen.length} episodes, need ${count}`);
}

function episode(random, house, graph, nodes) {
  const half = between(random, -Math.PI, Math.PI) / 2;
  const rotation = [0, round(Math.sin(half), 6), 0, round(Math.cos(half), 6)];
  const path = nodes.map((node) => graph.position(node));
  const words = new Instruction(random, house, graph, nodes, 2 * half);
  return {
    task_type: "vln",
    scene_id: house.scene,
    start_state: { position: path[0], rotation, node: nodes[0] },
    goals: { position: path.at(-1), node: nodes.at(-1), radius: 3 },
    instruction: { text: words.text() },
    reference_data: { path, nodes },
  };
}
