import type { SceneDoor, SceneModel, SceneRoom } from "../../src/simulator/scenes/model.js";

type Point = readonly [x: number, z: number];

/** The place that the instruction describes, as the reader understands it. */
export interface Landmark {
  readonly room: string;
  readonly category: string;
  readonly side: string;
}

const DEGREE = Math.PI / 180;
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/** Free width in metres at the side of a corridor that indicates another arm. */
const PASSAGE_M = 2.4;

/**
 * Follows an instruction like a person who knows the home and the start but neither the goal nor the path. Shares
 * no code with the generator of the text.
 */
export class InstructionReader {
  room: SceneRoom;
  /** The reader's position; at the end, its estimate of the goal. */
  at: Point;
  readonly doors: SceneDoor[] = [];
  readonly landmarks: Landmark[] = [];
  #heading: number;
  #entry: SceneDoor | undefined;
  /** True if the text has given a viewing direction since entering the room. */
  #faced = false;
  /** True while walking along a corridor, where sides are relative to the walking direction. */
  #along = false;
  /** True after turning at a corner of the corridor. */
  #cornered = false;

  constructor(
    readonly scene: SceneModel,
    start: Point,
    heading: number,
  ) {
    this.at = start;
    this.#heading = heading;
    this.room = this.#roomAt(start);
  }

  follow(text: string): void {
    let rest = text.toLowerCase();
    while (rest !== "") {
      const found = PHRASES.find(([pattern]) => pattern.test(rest));
      const match = found?.[0].exec(rest);
      if (!found || !match) throw new Error(`cannot read "${rest}" in "${text}"`);
      found[1](this, match.groups ?? {});
      rest = rest.slice(match[0].length).replace(/^(\. ?|, | and )/, "");
    }
  }

  turn(words: string): void {
    this.#heading += degreesOf(words) * DEGREE;
    this.#faced = true;
    if (isCorridor(this.room)) this.walkAlong();
  }

  /** Turns to face along the corridor, from its centre line. */
  walkAlong(): void {
    if (this.#along) return;
    if (this.#entry) {
      const inward = this.#inward(this.#entry, this.room);
      this.at = ahead(this.at, inward, 0.7);
    }
    this.#along = true;
    this.#heading = Math.round(this.#heading / (90 * DEGREE)) * 90 * DEGREE;
  }

  turnAtCorner(side: string): void {
    this.walkAlong();
    const aside = this.#heading + degreesOf(`turn ${side}`) * DEGREE;
    const open = (t: number) => this.#free(ahead(this.at, this.#heading, t), aside) > PASSAGE_M;
    const most = this.#free(this.at, this.#heading);
    // Exclude the arm behind the reader.
    let from = this.#cornered ? 1 : 0;
    while (from < most && !open(from)) from += 0.1;
    let to = from;
    while (to < most && open(to)) to += 0.1;
    if (from >= most) throw new Error(`no way leads ${side} from here in ${this.room.name}`);
    this.at = ahead(this.at, this.#heading, (from + to) / 2);
    this.#heading = aside;
    this.#cornered = true;
  }

  walk(metres: number): void {
    this.at = ahead(this.at, this.#heading, metres);
  }

  pass(category: string, side: string): void {
    this.landmarks.push({ room: this.room.name, category: plain(category), side });
  }

  expectRoom(kind: string | undefined): void {
    if (kind === undefined || kind === "room" || plain(kind) === this.room.kind) return;
    throw new Error(`is in ${this.room.name}, not in the ${kind}`);
  }

  takeDoor(words: DoorWords): void {
    const { into, ordinal, where } = words;
    const doors = this.scene.doors.filter(
      (door) => door.rooms.includes(this.room.name) && door !== this.#entry,
    );
    const fitting = doors.filter((door) => {
      return into === undefined || this.#behind(door).kind === plain(into);
    });
    const door = this.#choose(doors, fitting, ordinal, where);
    this.doors.push(door);
    const next = this.#behind(door);
    this.#heading = this.#inward(door, next);
    this.at = [door.position[0], door.position[2]];
    this.room = next;
    this.#entry = door;
    this.#faced = false;
    this.#along = false;
    this.#cornered = false;
  }

  #choose(
    doors: readonly SceneDoor[],
    fitting: readonly SceneDoor[],
    ordinal: string | undefined,
    where: string | undefined,
  ): SceneDoor {
    if (ordinal !== undefined) {
      const side = where?.includes("left") ? "left" : "right";
      const onSide = doors.filter((door) => this.#wallOf(door) === side && this.#before(door) > 0);
      const counted = onSide.sort((a, b) => this.#before(a) - this.#before(b));
      return sure(counted[ORDINALS.indexOf(ordinal)], `the ${ordinal} door ${where}`);
    }
    if (where?.startsWith("next to the ")) {
      const [x, z] = this.#thing(where.slice("next to the ".length));
      return nearest(fitting, (door) => Math.hypot(door.position[0] - x, door.position[2] - z));
    }
    if (where?.startsWith("at the")) {
      return only(
        fitting.filter((door) => this.#wallOf(door) === "end"),
        where,
      );
    }
    if (this.#along && where !== undefined) {
      const side = where.includes("left") ? "left" : "right";
      return only(
        fitting.filter((door) => this.#wallOf(door) === side && this.#before(door) > -0.6),
        where,
      );
    }
    const points = where !== undefined ? degreesOf(where) : this.#faced ? 0 : undefined;
    if (points === undefined) return only(fitting, "the door");
    return nearest(fitting, (door) => {
      const off = this.#degreesTo([door.position[0], door.position[2]]) - points;
      return Math.abs(wrap(off));
    });
  }

  stopBy(category: string): void {
    this.at = this.#thing(category);
  }

  stopInMiddle(): void {
    const { outline } = this.room;
    const sum = outline.reduce<Point>(([a, b], [x, z]) => [a + x, b + z], [0, 0]);
    this.at = [sum[0] / outline.length, sum[1] / outline.length];
  }

  #thing(name: string): Point {
    const things = this.scene.instances.filter(({ category, room }) => {
      return category === plain(name) && room === this.room.name;
    });
    const { min, max } = only(things, `the ${name} in ${this.room.name}`);
    return [(min[0] + max[0]) / 2, (min[2] + max[2]) / 2];
  }

  /** Distance to a door ahead, in metres. */
  #before({ position }: SceneDoor): number {
    const [dx, dz] = [position[0] - this.at[0], position[2] - this.at[1]];
    return -dx * Math.sin(this.#heading) - dz * Math.cos(this.#heading);
  }

  /** The wall of the current corridor arm that contains a door. */
  #wallOf(door: SceneDoor): "left" | "right" | "end" | "none" {
    const [dx, dz] = [door.position[0] - this.at[0], door.position[2] - this.at[1]];
    const right = dx * Math.cos(this.#heading) - dz * Math.sin(this.#heading);
    if (Math.abs(right) > 1.9) return "none";
    const facing = wrap((this.#inward(door, this.room) - this.#heading) / DEGREE);
    if (Math.abs(facing) > 150) return "end";
    if (Math.abs(facing) < 30) return "none";
    // After entering, the wall of the door is behind the reader.
    return facing > 0 ? "right" : "left";
  }

  #degreesTo([x, z]: Point): number {
    return wrap((Math.atan2(this.at[0] - x, this.at[1] - z) - this.#heading) / DEGREE);
  }

  #behind(door: SceneDoor): SceneRoom {
    const name = door.rooms.find((one) => one !== this.room.name);
    return sure(
      this.scene.rooms.find((room) => room.name === name),
      `a room behind ${door.rooms.join(" - ")}`,
    );
  }

  /** The heading when entering a room through a door; walls run along x or z. */
  #inward(door: SceneDoor, room: SceneRoom): number {
    const here: Point = [door.position[0], door.position[2]];
    const headings = [0, 90, 180, 270].map((degrees) => degrees * DEGREE);
    return sure(
      headings.find((heading) => {
        const step = (metres: number) => inside(room.outline, ahead(here, heading, metres));
        return step(0.25) && step(0.6) && !inside(room.outline, ahead(here, heading, -0.25));
      }),
      `a way from ${door.rooms.join(" - ")} into ${room.name}`,
    );
  }

  #free(from: Point, heading: number): number {
    let metres = 0;
    while (metres < 30 && inside(this.room.outline, ahead(from, heading, metres))) metres += 0.05;
    return metres;
  }

  #roomAt(point: Point): SceneRoom {
    return only(
      this.scene.rooms.filter(({ outline }) => inside(outline, point)),
      `a room at ${point}`,
    );
  }
}

interface DoorWords {
  readonly into?: string | undefined;
  readonly ordinal?: string | undefined;
  readonly where?: string | undefined;
}

function isCorridor({ kind }: SceneRoom): boolean {
  return kind === "corridor";
}

function plain(name: string): string {
  const names: Readonly<Record<string, string>> = {
    hallway: "corridor",
    sofa: "couch",
    refrigerator: "fridge",
    tv: "tv_monitor",
    television: "tv_monitor",
  };
  return names[name] ?? name.replaceAll(" ", "_");
}

/** Degrees to the left for each direction phrase. */
function degreesOf(words: string): number {
  const side = words.includes("left") ? 1 : -1;
  if (/around|^behind you$/.test(words)) return 180;
  if (words.includes("straight")) return 0;
  if (/^behind|sharply/.test(words)) return 140 * side;
  return (/^ahead|slightly|bear/.test(words) ? 40 : 90) * side;
}

function ahead([x, z]: Point, heading: number, metres: number): Point {
  return [x - Math.sin(heading) * metres, z - Math.cos(heading) * metres];
}

export function inside(outline: SceneRoom["outline"], [x, z]: Point): boolean {
  let odd = false;
  outline.forEach(([ax, az], i) => {
    const [bx, bz] = outline[(i + 1) % outline.length] ?? [0, 0];
    if (az > z !== bz > z && x < ax + ((bx - ax) * (z - az)) / (bz - az)) odd = !odd;
  });
  return odd;
}

function wrap(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

function nearest<T>(items: readonly T[], off: (item: T) => number): T {
  return sure([...items].sort((a, b) => off(a) - off(b))[0], "any door");
}

function only<T>(items: readonly T[], what: string): T {
  if (items.length !== 1) throw new Error(`${items.length} fit "${what}"`);
  return items[0] as T;
}

function sure<T>(item: T | undefined, what: string): T {
  if (item === undefined) throw new Error(`there is no ${what}`);
  return item;
}

const ROOM = "[a-z]+(?: room)?";
const SIDE = "left|right";
const PLACE = `straight ahead of you|straight ahead|ahead of you on the (?:${SIDE})|ahead on your (?:${SIDE})|behind you on the (?:${SIDE})|behind you|(?:on|to) (?:your|the) (?:${SIDE})|at the (?:far )?end`;
const THING = "[a-z]+(?: [a-z]+)*?";
const DOOR = `(?:(?<ordinal>${ORDINALS.join("|")}) )?(?:door|archway)(?: (?<where>${PLACE}|next to the ${THING}(?= into|[.,]|$)))?`;
const TURN = `turn around|turn (?:slightly |sharply )?(?:${SIDE})|bear (?:${SIDE})|(?:walk|go) straight ahead`;

type Groups = Readonly<Record<string, string | undefined>>;

const PHRASES: readonly (readonly [RegExp, (reader: InstructionReader, words: Groups) => void])[] =
  [
    [
      new RegExp(`^(?:leave|exit|walk out of) the (?<room>${ROOM})(?: through the ${DOOR})?`),
      (reader, { room, ordinal, where }) => {
        reader.expectRoom(room);
        reader.takeDoor({ ordinal, where });
      },
    ],
    [
      new RegExp(`^(?:(?:go|walk) through|take) the ${DOOR} into the (?<into>${ROOM})`),
      (reader, words) => reader.takeDoor(words),
    ],
    [
      new RegExp(`^enter the (?<into>${ROOM}) through the ${DOOR}`),
      (reader, words) => reader.takeDoor(words),
    ],
    [
      new RegExp(`^(?:cross|(?:walk|go) through|in) the (?<room>${ROOM})`),
      (reader, { room }) => reader.expectRoom(room),
    ],
    [
      new RegExp(`^turn (?<side>${SIDE}) at the (?:next )?(?:corner|junction)`),
      (reader, { side = "" }) => reader.turnAtCorner(side),
    ],
    [
      new RegExp(`^(?<turn>${TURN})(?: into the (?<room>${ROOM}))?`),
      (reader, { turn = "", room }) => {
        reader.expectRoom(room);
        reader.turn(turn);
      },
    ],
    [
      new RegExp(`^(?:walk|go|continue) (?:straight )?(?:along|down) the (?<room>${ROOM})`),
      (reader, { room }) => {
        reader.expectRoom(room);
        reader.walkAlong();
      },
    ],
    [
      /^(?:(?:walk|go) | ?for )about (?<count>[a-z0-9]+) meters?/,
      (reader, { count = "" }) => {
        const number = NUMBERS.indexOf(count) + 1;
        reader.walk(number > 0 ? number : Number(count));
      },
    ],
    [
      new RegExp(
        `^(?:walk)? ?past the (?<first>${THING})(?: on your (?<side>${SIDE}))?(?: and the (?<second>${THING}))? on your (?<other>${SIDE})`,
      ),
      (reader, { first = "", side, second, other = "" }) => {
        reader.pass(first, side ?? other);
        if (second) reader.pass(second, other);
      },
    ],
    [
      new RegExp(`^(?:stop|wait) just inside the (?<room>${ROOM})`),
      (reader, { room }) => reader.expectRoom(room),
    ],
    [
      new RegExp(`^(?:stop|wait) in the middle of the (?<room>${ROOM})`),
      (reader, { room }) => {
        reader.expectRoom(room);
        reader.stopInMiddle();
      },
    ],
    [
      new RegExp(`^(?:stop|wait) (?:next to|by|near|beside) the (?<thing>${THING})(?=[.,]|$)`),
      (reader, { thing = "" }) => reader.stopBy(thing),
    ],
    [/^(?:stop|wait)(?: there)?/, () => {}],
  ];
