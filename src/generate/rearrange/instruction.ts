import type { Random } from "../../core/math/random.js";
import type { SceneInstance, SceneModel } from "../../simulator/scenes/model.js";
import { Wording } from "../instructions/words.js";

/** The properties by which a phrase distinguishes two things of a kind. */
export interface Described {
  readonly name: string;
  readonly category: string;
  readonly color?: string | undefined;
  /** Kind of its room: `bedroom`. */
  readonly room: string | undefined;
}

/** Property by which a phrase narrows down what it means. */
type Property = "color" | "room";

/** Properties that distinguish an object, the shortest phrase first; a room's name is longer than a colour. */
const WAYS: readonly (readonly Property[])[] = [[], ["color"], ["room"], ["color", "room"]];

/** Share of phrases that say more than they need to. */
const TALKATIVE = 0.3;

/**
 * The properties that a phrase needs so that it is unambiguous; undefined if no phrase does, for example of two
 * nightstands in one bedroom.
 */
export function distinction(
  target: Described,
  all: readonly Described[],
): readonly Property[] | undefined {
  return WAYS.find((way) => {
    return way.every((property) => target[property]) && meant(target, way, all).length === 1;
  });
}

/** Everything that a phrase about a thing could mean. */
export function meant(
  target: Described,
  way: readonly Property[],
  all: readonly Described[],
): readonly Described[] {
  return all.filter((other) => {
    return (
      other.category === target.category &&
      way.every((property) => other[property] === target[property])
    );
  });
}

/** All furniture of a scene, also pieces on which nothing can be put, because an instruction must distinguish them too. */
export function furnitureOf({ instances, rooms }: SceneModel): readonly Described[] {
  const kinds = new Map(rooms.map(({ name, kind }) => [name, kind]));
  return instances.slice(1).map(({ name, category, room }: SceneInstance) => ({
    name,
    category,
    room: room === undefined ? undefined : kinds.get(room),
  }));
}

/** The things that an instruction names. */
export interface Errand {
  readonly object: Described;
  readonly objects: readonly Described[];
  readonly source: Described;
  readonly goal: Described;
  readonly furniture: readonly Described[];
}

/** An instruction that means one object and one goal; undefined if words cannot. */
export function instructionOf(random: Random, errand: Errand): string | undefined {
  const { object, objects, source, goal, furniture } = errand;
  const objectWay = distinction(object, objects);
  const goalWay = distinction(goal, furniture);
  if (!objectWay || !goalWay) return undefined;
  const words = new Wording(random);
  const more = (way: readonly Property[], property: Property): readonly Property[] =>
    words.chance(TALKATIVE) && !way.includes(property) ? [...way, property] : way;
  // The source is the object's location, so the object's own phrase needs no room.
  const inRoom = objectWay.includes("room");
  const ofObject = more(
    objectWay.filter((property) => property === "color"),
    "color",
  );
  const from = phrase(words, source, inRoom ? ["room"] : more([], "room"));
  const what = phrase(words, object, ofObject);
  const to = phrase(words, goal, more(goalWay, "room"));
  const places: Places = {
    from,
    to,
    atFrom: `${prepositionOf(source)} the ${from}`,
    atTo: `${prepositionOf(goal)} the ${to}`,
  };
  return capital(words.pick(...sentences(words, what, places)));
}

/** Furniture, also with its preposition: "on the desk", "in the open drawer of the dresser". */
interface Places {
  readonly from: string;
  readonly to: string;
  readonly atFrom: string;
  readonly atTo: string;
}

function prepositionOf({ category }: Described): string {
  return category === "drawer" ? "in" : "on";
}

function sentences(
  words: Wording,
  what: string,
  { from, to, atFrom, atTo }: Places,
): readonly string[] {
  const ask = words.pick("please ", "", "");
  return [
    `${ask}take the ${what} from the ${from} to the ${to}.`,
    `${ask}move the ${what} from the ${from} to the ${to}.`,
    `${ask}bring the ${what} that is ${atFrom} to the ${to}.`,
    `${ask}put the ${what} from the ${from} ${atTo}.`,
    `${ask}pick up the ${what} ${atFrom} and put it down ${atTo}.`,
    `there is ${article(what)} ${what} ${atFrom}. ${capital(ask)}${ask ? "carry" : "Carry"} it to the ${to}.`,
    `could you fetch the ${what} from the ${from} and place it ${atTo}?`,
    `the ${what} ${atFrom} belongs ${atTo}. ${capital(ask)}${ask ? "put" : "Put"} it there.`,
  ];
}

/** Words for categories; the plainest first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  nightstand: ["nightstand", "bedside table"],
  chest_of_drawers: ["chest of drawers", "dresser"],
  drawer: ["open drawer of the chest of drawers", "open drawer of the dresser"],
  shelf: ["shelf", "bookcase"],
  toy_block: ["toy block", "building block"],
  cup: ["cup", "tumbler"],
};

function phrase(words: Wording, thing: Described, way: readonly Property[]): string {
  const names = NAMES[thing.category];
  const noun = names ? words.pick(...names) : words.name(thing.category);
  const color = way.includes("color") && thing.color ? `${thing.color} ` : "";
  const room = way.includes("room") && thing.room ? ` in the ${words.name(thing.room)}` : "";
  return `${color}${noun}${room}`;
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
