// Generates the instruction of a path: turns, doors counted along a hall, stairs, and the object at the goal.
import { angleAt, turnFrom } from "./geometry.mjs";
import { labelOf, ROOMS } from "./plan.mjs";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const sideOf = (turn) => (turn > 0 ? "left" : "right");

function whereabouts(turn) {
  const off = Math.abs(turn);
  if (off < 20) return "straight ahead of you";
  if (off < 60) return `ahead of you on the ${sideOf(turn)}`;
  if (off <= 120) return `on your ${sideOf(turn)}`;
  return off <= 160 ? `behind you on the ${sideOf(turn)}` : "behind you";
}

function turning(turn) {
  const off = Math.abs(turn);
  if (off < 20) return "walk straight ahead";
  if (off < 60) return `bear ${sideOf(turn)}`;
  if (off <= 120) return `turn ${sideOf(turn)}`;
  return off <= 160 ? `turn sharply ${sideOf(turn)}` : "turn around";
}

/** The instruction of a path, with one sentence per room and hall. */
export class Instruction {
  constructor(random, house, graph, nodes, heading) {
    Object.assign(this, { random, house, graph, nodes, heading });
  }

  text() {
    const sentences = this.#stages().map((stage) => {
      const parts = stage.region in ROOMS ? this.#room(stage) : this.#hall(stage);
      const last = parts.pop();
      const whole = parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
      return `${whole[0].toUpperCase()}${whole.slice(1)}.`;
    });
    return sentences.join(" ");
  }

  /** Runs of viewpoints in one room or hall, by first and last index. */
  #stages() {
    const stages = [];
    for (const i of this.nodes.keys()) {
      const { kind, region } = this.#node(i);
      if (kind === "door" || kind === "stairs") continue;
      if (stages.at(-1)?.region === region) stages.at(-1).last = i;
      else stages.push({ region, first: i, last: i });
    }
    return stages;
  }

  #room({ region, first, last }) {
    const name = labelOf(region);
    if (last === this.nodes.length - 1) return this.#arrival(name, first);
    const out = `through the ${this.#door(region, last + 1)} ${whereabouts(this.#turn(last))}`;
    if (first > 0) return [`cross the ${name}`, `leave it ${out}`];
    if (first < last) {
      const turn = turning(this.#turn(0));
      const middle = `to the middle of the ${name}`;
      // One clause if there is no turn first.
      const walk = turn.startsWith("walk") ? [`${turn} ${middle}`] : [turn, `go ${middle}`];
      return [...walk, `leave it ${out}`];
    }
    return [`${this.random.pick(["leave", "walk out of"])} the ${name} ${out}`];
  }

  /** The door to take; named by its destination if the room has several. */
  #door(region, i) {
    const doors = this.graph.neighbours(region).filter((id) => this.#info(id).kind === "door");
    return doors.length === 1 ? "door" : `door to the ${labelOf(otherSide(this.#node(i), region))}`;
  }

  #arrival(name, first) {
    const { kind, words } = this.#node(this.nodes.length - 1);
    // After a hall, the previous sentence has already named the room.
    const named = this.#node(first - 2).kind === "hall";
    if (kind === "spot") return [...(named ? [] : [`go into the ${name}`]), `stop ${words}`];
    return [`stop in the middle of the ${named ? "room" : name}`];
  }

  #hall({ region, first, last }) {
    const before = this.#node(first - 1);
    const after = this.#node(last + 1);
    // From the corridor the path continues straight along the hallway; otherwise it enters a hall from the side.
    const along = before?.kind === "hall" && region === "hallway";
    const turn = this.#turn(first);
    const then = before?.kind === "stairs" ? `at the ${before.id.slice(7)} of the stairs ` : "";
    if (first === last && !along && Math.abs(turn) < 20) {
      return [`${then}go straight across the ${region} ${this.#across(region, after)}`];
    }
    const parts = along ? [] : [`${then}${turning(turn)}`];
    const counted = along ? first : first + 1;
    const toCorridor = after?.region === "corridor";
    if (first < last || toCorridor) {
      const verb = this.random.pick(["walk along", "follow", "go along"]);
      const end = after ? (toCorridor ? " to the corridor" : "") : " to the front door";
      parts.push(`${verb} the ${region}${this.#past(counted, last)}${end}`);
    }
    if (!after) return [...parts, "stop there"];
    if (toCorridor) return parts;
    return [...parts, this.#exit(region, counted, last, after)];
  }

  #across(region, after) {
    if (after.kind === "stairs") return `and ${climb(after)} the stairs`;
    return `into the ${labelOf(after.kind === "door" ? otherSide(after, region) : after.region)}`;
  }

  #exit(region, counted, last, after) {
    const side = sideOf(this.#turn(last));
    if (after.kind === "stairs") return `go ${climb(after)} the stairs on the ${side}`;
    if (after.kind === "hall") return `turn ${side} into the ${after.region}`;
    let doors = 0;
    for (let i = counted; i <= last; i++) {
      doors += this.#openings(i).filter(
        (o) => o.kind === "door" && this.#sideAt(i, o) === side,
      ).length;
    }
    const room = labelOf(otherSide(after, region));
    return `take the ${ORDINALS[doors - 1]} door on the ${side} into the ${room}`;
  }

  /** A random opening that the path passes between two viewpoints of a hall, excluding the last. */
  #past(from, last) {
    const passed = [];
    for (let i = from; i < last; i++) passed.push(...this.#openings(i));
    if (passed.length === 0) return "";
    const { kind, region } = this.random.pick(passed);
    return ` past the ${kind === "stairs" ? "stairs" : labelOf(region[0])}`;
  }

  /** Doors and stairs at a viewpoint of a hall. */
  #openings(i) {
    const around = this.graph.neighbours(this.nodes[i]).map((id) => this.#info(id));
    return around.filter(({ kind }) => kind === "door" || kind === "stairs");
  }

  #sideAt(i, { id }) {
    const [from, at] = [i - 1, i].map((k) => this.graph.position(this.nodes[k]));
    return sideOf(angleAt(from, at, this.graph.position(id)));
  }

  /** Degrees to the left that the path turns at a viewpoint; at the first, from the start's heading. */
  #turn(i) {
    const [from, at, to] = [i - 1, i, i + 1].map(
      (k) => k >= 0 && this.graph.position(this.nodes[k]),
    );
    return i === 0 ? turnFrom(this.heading, at, to) : angleAt(from, at, to);
  }

  #node(i) {
    return this.#info(this.nodes[i]);
  }

  #info(id) {
    return this.house.nodes.get(id);
  }
}

const climb = ({ id }) => (id === "stairs_bottom" ? "up" : "down");
const otherSide = (door, region) => door.region.find((other) => other !== region);
