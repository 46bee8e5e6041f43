import { bearing } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { lengthOf, pointAt } from "../polyline.js";
import { apart, degreesBetween, directionOf, sideOf } from "./bearings.js";
import { along, countOf, doorsAlong, isArch, isCorridor, type Leg, legsOf } from "./corridor.js";
import {
  besideDoor,
  degreesTo,
  type ExitStage,
  otherDoors,
  pointsTo,
  similarDoors,
} from "./doors.js";
import type { FloorPlan } from "./floor-plan.js";
import { landmarkBeside, type Passed, passedIn } from "./landmarks.js";
import type { Stage } from "./route.js";
import { metres, ORDINALS, sentence, type Wording } from "./words.js";

/** Maximum angle between the first steps and a door for the same direction word, in degrees. */
const SAME_WAY = 50;
/** Maximum distance by which the words may lead past the described position, in metres. */
const ASTRAY_M = 1.5;
/** Distance after which the direction of a walk is visible, in metres. */
const FIRST_STEPS_M = 1;

/**
 * Describes a path through rooms with one sentence per room. Undefined if the available words would leave a door
 * ambiguous.
 *
 * Conventions for readers: directions are relative to the start heading, or to the doorway of entry looking in; in a
 * corridor, to the walk along it. "The door" is never the one just used. The name of the room behind a door, then a
 * direction, distinguish the doors of a room.
 */
export class RoomInstructions {
  readonly #plan: FloorPlan;
  readonly #words: Wording;

  constructor(plan: FloorPlan, words: Wording) {
    this.#plan = plan;
    this.#words = words;
  }

  describe(stages: readonly Stage[]): string | undefined {
    const sentences: string[] = [];
    for (const [i, stage] of stages.entries()) {
      const legs = legsOf(this.#plan, stage);
      // Always name the goal's room; rooms in between may be described by their own sentence only.
      const mayBeBare = i < stages.length - 2;
      const clauses = hasExit(stage)
        ? ((legs && this.#leaveAlong(stage, legs)) ?? this.#leaveAcross(stage, mayBeBare))
        : this.#arrive(stage, legs);
      if (!clauses) return undefined;
      // Without a door, nothing else would name the room.
      const where =
        stages.length === 1 && !legs ? `in the ${this.#words.name(stage.room.kind)}, ` : "";
      sentences.push(sentence([`${where}${clauses[0]}`, ...clauses.slice(1)]));
    }
    return sentences.join(" ");
  }

  #leaveAlong(stage: ExitStage, legs: readonly Leg[]): string[] | undefined {
    const door = this.#doorAlong(stage, legs);
    if (door === undefined) return undefined;
    const walk = this.#walkAlong(stage, legs);
    return [...walk, this.#through(door, stage, walk.at(-1))];
  }

  /** Clauses for the turns along a corridor and the landmarks between them. */
  #walkAlong(stage: Stage, legs: readonly Leg[]): string[] {
    const { pose, room, entry } = stage;
    const name = this.#words.name(room.kind);
    const passed = passedIn(this.#plan, stage);
    let walkedM = 0;
    return legs.flatMap((leg, i) => {
      const before = legs[i - 1];
      const past = this.#past(passed, walkedM, leg.lengthM);
      walkedM += leg.lengthM;
      if (before) {
        const turn = degreesBetween(before.pose.headingRad, leg.pose.headingRad);
        const where = before.end === "wall" ? "corner" : "junction";
        const at = `at the ${i > 1 ? "next " : ""}${where}`;
        return [`turn ${sideOf(turn)} ${at}`, ...(past === "" ? [] : [`walk${past}`])];
      }
      const turn = directionOf(degreesBetween(pose.headingRad, leg.pose.headingRad));
      const walk = `${this.#words.pick("along", "down")} the ${name}${past}`;
      if (turn.meansDegrees === 0) {
        return [`${this.#words.pick("walk", "go", "continue")} straight ${walk}`];
      }
      const turns = this.#words.pick(...turn.turns);
      // From a doorway the walk turns into a corridor; inside one it only turns.
      if (entry && this.#words.chance(0.6)) {
        return [`${turns} into the ${name}`, ...(past === "" ? [] : [`walk${past}`])];
      }
      return [turns, `${this.#words.pick("walk", "go", "continue")} ${walk}`];
    });
  }

  /** Describes a door relative to a walk along a corridor. */
  #doorAlong(stage: ExitStage, legs: readonly Leg[]): string | undefined {
    const leg = legs.at(-1);
    if (!leg) return undefined;
    const doors = doorsAlong(this.#plan, stage, leg);
    const target = doors.find(({ door }) => door === stage.exit);
    if (!target || target.aheadM < 0.6) return undefined;
    const noun = isArch(stage.exit) ? "archway" : "door";
    const alike = similarDoors(this.#plan, stage);
    if (target.wall === "end") {
      const ends = doors.filter(({ wall, door }) => wall === "end" && alike.includes(door));
      if (ends.length > 0) return undefined;
      return `${noun} ${this.#words.pick("at the end", "at the far end")}`;
    }
    if (target.wall === "back") return undefined;
    const count = isArch(stage.exit) ? undefined : countOf(doors, target);
    const ordinal = count === undefined ? undefined : ORDINALS[count - 1];
    const side = `on ${this.#words.pick("the", "your")} ${target.wall}`;
    const confused = doors.some(({ door, wall, aheadM }) => {
      return wall === target.wall && alike.includes(door) && aheadM > -1;
    });
    if (ordinal !== undefined && (confused || this.#words.chance(0.8))) {
      return `${ordinal} ${noun} ${side}`;
    }
    return confused ? undefined : `${noun} ${side}`;
  }

  #leaveAcross(stage: ExitStage, mayBeBare: boolean): string[] | undefined {
    const { pose, exit, room, entry, line } = stage;
    const alike = similarDoors(this.#plan, stage);
    const others = otherDoors(this.#plan, stage);
    const degrees = degreesTo(pose, exit);
    const direction = directionOf(degrees);
    const steps = bearing(pose.position, pointAt(line, FIRST_STEPS_M));
    const sameWay = apart(degrees, degreesBetween(pose.headingRad, steps)) < SAME_WAY;
    const clear = pointsTo(pose, exit, alike);
    const name = this.#words.name(room.kind);
    const noun = isArch(exit) ? "archway" : "door";
    const past = this.#past(passedIn(this.#plan, stage));
    const walk = past === "" ? [] : [`walk${past}`];
    const isFirst = entry === undefined;
    // In a corridor, a turn would be understood as a turn along it.
    const mayTurn = clear && sameWay && !isCorridor(room);
    if (mayTurn && (isFirst || this.#words.chance(0.5))) {
      const turns = this.#words.pick(...direction.turns);
      // Without the next room's name, the direction must distinguish all doors.
      const bare = mayBeBare && pointsTo(pose, exit, others) && this.#words.chance(0.5);
      const before =
        direction.meansDegrees === 0 && past !== "" ? [`${turns}${past}`] : [turns, ...walk];
      return [...before, bare ? this.#out(name) : this.#through(noun, stage, before.at(-1))];
    }
    const cross = `${this.#words.pick("cross", "walk through", "go through")} the ${name}${past}`;
    const before = isFirst ? walk : [cross];
    if (clear) {
      const place = this.#words.pick(...direction.places);
      if (mayBeBare && isFirst && past === "" && pointsTo(pose, exit, others)) {
        return [`${this.#out(name)} through the ${noun} ${place}`];
      }
      return [...before, this.#through(`${noun} ${place}`, stage, before.at(-1))];
    }
    const thing = besideDoor(this.#plan, stage);
    if (thing === undefined) return undefined;
    const door = `${noun} next to the ${this.#words.name(thing)}`;
    return [...before, this.#through(door, stage, before.at(-1))];
  }

  #out(name: string): string {
    return `${this.#words.pick("leave", "exit", "walk out of")} the ${name}`;
  }

  #through(door: string, { exit, room }: ExitStage, before = ""): string {
    const kind = this.#plan.behind(exit, room)?.kind ?? "outside";
    const name = this.#words.name(kind);
    const ways = ["go", "walk", "take", "enter"].filter((verb) => !before.startsWith(verb));
    const way = this.#words.pick(...ways);
    if (way === "enter") return `enter the ${name} through the ${door}`;
    return `${way === "take" ? way : `${way} through`} the ${door} into the ${name}`;
  }

  /** Landmarks that part of a stage passes, at most two. */
  #past(all: readonly Passed[], fromM = 0, lengthM = Number.POSITIVE_INFINITY): string {
    const passed = all.filter(({ atM }) => atM >= fromM && atM < fromM + lengthM);
    const [first, last] = [passed[0], passed.at(-1)];
    if (!first || !last) return "";
    const isLong = last.atM - first.atM > 1.5;
    const most = isLong && this.#words.chance(0.6) ? 2 : 1;
    const from = this.#words.random.below(passed.length - most + 1);
    const said = passed.slice(from, from + most).map(({ object, side }, i, both) => {
      const name = `the ${this.#words.name(object.category)}`;
      // Name the side once if both are on the same side.
      return both[i + 1]?.side === side ? name : `${name} on your ${side}`;
    });
    return ` past ${said.join(" and ")}`;
  }

  #arrive(stage: Stage, legs: readonly Leg[] | undefined): string[] | undefined {
    const { room, pose, entry, line } = stage;
    const goal = line.at(-1) ?? pose.position;
    const name = this.#words.name(room.kind);
    const beside = landmarkBeside(this.#plan, room, goal);
    if (!beside && entry && lengthOf(line) < 1.3) {
      return [`stop just inside the ${this.#words.pick("room", name)}`];
    }
    const stop = this.#words.pick("stop", "wait");
    const begin = legs ? this.#walkAlong(stage, legs) : this.#beginning(stage, beside?.category);
    if (beside) {
      const by = this.#words.pick("next to", "by", "near", "beside");
      return [...begin, `${stop} ${by} the ${this.#words.name(beside.category)}`];
    }
    const leg = legs?.at(-1);
    if (leg) {
      const far = `about ${metres(along(leg.pose, goal))}`;
      const walk = begin.at(-1) ?? "";
      // A walk that is already described only needs its length.
      return /^(walk|go|continue) .*(along|down) the [a-z ]+$/.test(walk)
        ? [...begin.slice(0, -1), `${walk} for ${far}`, `${stop} there`]
        : [...begin, `${this.#words.pick("walk", "go")} ${far}`, `${stop} there`];
    }
    if (horizontal(this.#plan.centreOf(room), goal) < 0.8) {
      return [...begin, `${stop} in the middle of the ${this.#words.pick("room", name)}`];
    }
    return this.#pacedTo(stage, goal, stop);
  }

  /** The first part of the walk to a goal and what it passes; rarely needed in a room that was entered. */
  #beginning(stage: Stage, goal: string | undefined): string[] {
    const passed = passedIn(this.#plan, stage).filter(({ object }) => object.category !== goal);
    const past = this.#past(passed);
    const walk = past === "" ? [] : [`walk${past}`];
    if (stage.entry) return walk;
    const steps = bearing(stage.pose.position, pointAt(stage.line, FIRST_STEPS_M));
    const direction = directionOf(degreesBetween(stage.pose.headingRad, steps));
    const turns = this.#words.pick(...direction.turns);
    return direction.meansDegrees === 0 ? [`${turns}${past}`] : [turns, ...walk];
  }

  /** Describes a position without landmarks by its distance from the entry; undefined if it is around a corner. */
  #pacedTo(stage: Stage, goal: Vec3, stop: string): string[] | undefined {
    const { pose, room } = stage;
    // Measured from the goal: in a doorway the line would end at once in the wall.
    const clearM = this.#plan.clearM(room, goal, bearing(goal, pose.position));
    if (clearM < horizontal(goal, pose.position) - 0.3) return undefined;
    const degrees = degreesBetween(pose.headingRad, bearing(pose.position, goal));
    const direction = directionOf(degrees);
    const distanceM = horizontal(pose.position, goal);
    const astrayM = (distanceM * apart(degrees, direction.meansDegrees) * Math.PI) / 180;
    if (astrayM > ASTRAY_M) return undefined;
    const far = `about ${metres(distanceM)}`;
    const past = this.#past(passedIn(this.#plan, stage));
    const turns = this.#words.pick(...direction.turns);
    if (direction.meansDegrees === 0) return [`${turns} for ${far}${past}`, `${stop} there`];
    return [turns, `${this.#words.pick("walk", "go")} ${far}${past}`, `${stop} there`];
  }
}

function hasExit(stage: Stage): stage is ExitStage {
  return stage.exit !== undefined;
}

function horizontal(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[2] - b[2]);
}
