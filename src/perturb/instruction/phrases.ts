/**
 * Groups of phrases with the same meaning, in lower case: those between which `robot-eval generate` chooses, and usual
 * words for the same actions. Longer phrases come before their beginnings.
 */
const PHRASES: readonly (readonly string[])[] = [
  ["corridor", "hallway"],
  ["couch", "sofa"],
  ["fridge", "refrigerator"],
  ["tv", "television"],
  ["pick up", "take", "grasp", "lift up"],
  ["put it on top of", "place it on top of", "stack it onto"],
  ["put it", "place it", "set it down", "lay it"],
  ["pull the drawer open", "open the drawer"],
  ["open the door of the cabinet", "open the cabinet's door", "pull the cabinet's door open"],
  ["walk through", "go through", "pass through"],
  ["walk out of", "leave", "exit"],
  ["walk straight", "go straight", "continue straight"],
  ["walk along", "go along", "continue along"],
  ["walk down", "go down", "continue down"],
  ["walk past", "go past", "pass"],
  ["walk", "go", "move"],
  ["at the far end", "at the end"],
  ["on the left", "on your left", "to your left"],
  ["on the right", "on your right", "to your right"],
  ["turn left", "go left", "take a left"],
  ["turn right", "go right", "take a right"],
  ["turn around", "turn back"],
  ["next to", "beside", "near"],
  ["stop", "wait", "halt"],
  ["enter", "go into"],
  ["cross", "go across"],
  ["meters", "metres", "m"],
  ["in the middle of", "in the centre of"],
];

export interface FoundPhrase {
  /** Place in the text. */
  readonly from: number;
  readonly to: number;
  /** Other phrases of its group. */
  readonly others: readonly string[];
}

const BY_TEXT: ReadonlyMap<string, readonly string[]> = new Map(
  PHRASES.flatMap((group) =>
    group.map((phrase) => [phrase, group.filter((other) => other !== phrase)] as const),
  ),
);

const ANY = new RegExp(
  `\\b(?:${[...BY_TEXT.keys()].sort((a, b) => b.length - a.length).join("|")})\\b`,
  "gi",
);

/** The phrases of a text that can be said otherwise, without overlaps. */
export function phrasesIn(text: string): FoundPhrase[] {
  return [...text.matchAll(ANY)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    others: BY_TEXT.get(match[0].toLowerCase()) ?? [],
  }));
}
