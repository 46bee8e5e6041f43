import type { FlatPose } from "./arm.js";
import { CELL_M, type FloorGrid } from "./floor-grid.js";

type Move = "move_forward" | "move_backward" | "turn_left" | "turn_right";

/** Lengths of the named actions. */
interface MoveLengths {
  readonly forwardStepM: number;
  readonly turnRad: number;
}

export interface RouteProblem extends MoveLengths {
  readonly grid: FloorGrid;
  readonly from: FlatPose;
  /** Remaining way of each cell; see `FloorGrid.distancesFrom`. */
  readonly remaining: Float32Array;
  /** Cost in seconds of working at a pose; undefined if it is of no use. */
  readonly costAt: (pose: FlatPose) => number | undefined;
}

export interface Route {
  readonly moves: readonly Move[];
  /** The pose before each move, and the last one. */
  readonly poses: readonly FlatPose[];
}

/** Seconds of an action, with acceleration. Driving backward is blind. */
const SECONDS: Readonly<Record<Move, number>> = {
  move_forward: 1.4,
  move_backward: 2.5,
  turn_left: 1.1,
  turn_right: 1.1,
};
/** Manhattan lengths exceed straight ones by at most this factor. */
const DETOUR = Math.SQRT2;
/** Bounds the search in apartments without a usable pose. */
const MAX_EXPANDED = 400_000;
/** A cell is searched again from another place in it only if that is cheaper. */
const POSITION_M = CELL_M;

interface Node {
  readonly pose: FlatPose;
  readonly turns: number;
  readonly seconds: number;
  readonly estimate: number;
  readonly before: Node | undefined;
  readonly move: Move | undefined;
  /** Whether the work at this pose is included in `seconds`. */
  readonly isEnd: boolean;
}

/**
 * A* over the poses that a sequence of named actions reaches: they form a lattice that depends on the start, so the end
 * pose is found together with the way to it.
 */
export function planRoute(problem: RouteProblem): Route | undefined {
  const { grid, from, remaining, costAt, forwardStepM, turnRad } = problem;
  const turns = Math.max(1, Math.round((2 * Math.PI) / turnRad));
  const best = new Map<number, number>();
  const open = new Heap();
  const rest = ([x, y]: FlatPose) => {
    const cell = grid.freeCellAt(x, y);
    const way = cell < 0 ? Infinity : (remaining[cell] as number);
    return (Math.max(0, way - forwardStepM) / DETOUR / forwardStepM) * SECONDS.move_forward;
  };
  const push = (node: Omit<Node, "estimate">) => {
    const estimate = node.seconds + (node.isEnd ? 0 : rest(node.pose));
    if (estimate < Infinity) open.push({ ...node, estimate });
  };
  push({ pose: from, turns: 0, seconds: 0, before: undefined, move: undefined, isEnd: false });
  for (let expanded = 0; expanded < MAX_EXPANDED; expanded++) {
    const node = open.pop();
    if (!node) return undefined;
    if (node.isEnd) return routeTo(node);
    const [x, y, theta] = node.pose;
    const key = keyOf(x - from[0], y - from[1], node.turns, turns);
    if ((best.get(key) ?? Infinity) <= node.seconds) continue;
    best.set(key, node.seconds);
    const cost = costAt(node.pose);
    if (cost !== undefined) {
      push({ ...node, seconds: node.seconds + cost, isEnd: true });
    }
    for (const move of MOVES) {
      if (isReturn(move, node.move)) continue;
      const turn = move === "turn_left" ? 1 : move === "turn_right" ? -1 : 0;
      const step =
        move === "move_forward" ? forwardStepM : move === "move_backward" ? -forwardStepM : 0;
      const [toX, toY] = [x + step * Math.cos(theta), y + step * Math.sin(theta)];
      if (step !== 0 && !grid.isFreeBetween(x, y, toX, toY)) continue;
      push({
        pose: [toX, toY, theta + turn * turnRad],
        turns: (node.turns + turn + turns) % turns,
        seconds: node.seconds + SECONDS[move],
        before: node,
        move,
        isEnd: false,
      });
    }
  }
  return undefined;
}

const MOVES: readonly Move[] = ["move_forward", "turn_left", "turn_right", "move_backward"];

/** Whether a move undoes the one before. */
function isReturn(move: Move, before: Move | undefined): boolean {
  switch (before) {
    case "turn_left":
      return move === "turn_right";
    case "turn_right":
      return move === "turn_left";
    case "move_forward":
      return move === "move_backward";
    case "move_backward":
      return move === "move_forward";
    case undefined:
      return false;
  }
}

function keyOf(dx: number, dy: number, turn: number, turns: number): number {
  const i = Math.round(dx / POSITION_M) + 2048;
  const j = Math.round(dy / POSITION_M) + 2048;
  return (i * 4096 + j) * turns + turn;
}

function routeTo(end: Node): Route {
  const moves: Move[] = [];
  const poses: FlatPose[] = [end.pose];
  for (let node: Node | undefined = end; node?.before; node = node.before) {
    if (node.move) moves.push(node.move);
    poses.push(node.before.pose);
  }
  return { moves: moves.reverse(), poses: poses.reverse() };
}

/** Nodes, the least estimate first; of equal ones the earliest. */
class Heap {
  readonly #nodes: (Node & { readonly order: number })[] = [];
  #pushed = 0;

  push(node: Node): void {
    const nodes = this.#nodes;
    nodes.push({ ...node, order: this.#pushed++ });
    for (let at = nodes.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#less(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): Node | undefined {
    const nodes = this.#nodes;
    this.#swap(0, nodes.length - 1);
    const least = nodes.pop();
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < nodes.length && this.#less(left, least)) least = left;
      if (right < nodes.length && this.#less(right, least)) least = right;
      if (least === at) break;
      this.#swap(at, least);
      at = least;
    }
    return least;
  }

  #less(i: number, j: number): boolean {
    const [a, b] = [this.#nodes[i], this.#nodes[j]];
    if (!a || !b) return false;
    return a.estimate === b.estimate ? a.order < b.order : a.estimate < b.estimate;
  }

  #swap(i: number, j: number): void {
    const [a, b] = [this.#nodes[i], this.#nodes[j]];
    if (!a || !b) return;
    this.#nodes[i] = b;
    this.#nodes[j] = a;
  }
}
