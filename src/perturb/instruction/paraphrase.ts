import { readFileSync } from "node:fs";
import { z } from "zod";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError, errorMessage } from "../../core/errors.js";
import type { Random } from "../../core/math/random.js";
import { instructionAxis } from "./instruction-axis.js";
import { phrasesIn } from "./phrases.js";

/** One paraphrase for each level, or one for all, keyed by episode key, episode id or the original text. */
const paraphrases = z.record(
  z.string(),
  z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
);

export const instructionParaphrase = instructionAxis({
  description: "the instruction in other words of the same meaning",
  parameter: "share of phrases said otherwise",
  levels: [1 / 3, 2 / 3, 1],
  settings: z.strictObject({
    file: z
      .string()
      .min(1)
      .describe(
        "JSON file of paraphrases by episode key, episode id or original instruction: a text, or a list with one text for each level",
      )
      .optional(),
  }),
  change: (episode, { value, level, settings, episodeKey, episodes }, random) => {
    const { text = "" } = episode.instruction;
    const { file } = settings;
    if (typeof file !== "string") return { text: saidOtherwise(text, value, random) };
    const found = paraphrasesFor(episodes, file);
    const entry = found[episodeKey] ?? found[episode.episodeId] ?? found[text];
    if (entry === undefined) {
      throw new DataError("no_paraphrase", `there is no paraphrase for ${episodeKey}`, {
        where: file,
        hint: `add its key, its id ${episode.episodeId} or its text: "${text}"`,
      });
    }
    const list = typeof entry === "string" ? [entry] : entry;
    return { text: list[Math.min(level, list.length) - 1] ?? text };
  },
});

/** Replaces a share of the phrases that can be said otherwise, at least one if there is any. */
function saidOtherwise(text: string, share: number, random: Random): string {
  const found = phrasesIn(text);
  // All choices are drawn first, so that a stronger level keeps the replacements of a weaker one.
  const choices = new Map(found.map((phrase) => [phrase, random.pick(phrase.others)]));
  const order = random.shuffle(found);
  const replaced = new Set(order.slice(0, Math.ceil(share * found.length)));
  let out = "";
  let at = 0;
  for (const phrase of found) {
    if (!replaced.has(phrase)) continue;
    const before = text.slice(phrase.from, phrase.to);
    out += text.slice(at, phrase.from) + likeCase(choices.get(phrase) ?? before, before);
    at = phrase.to;
  }
  return out + text.slice(at);
}

function likeCase(phrase: string, before: string): string {
  const [first = ""] = before;
  const isCapital = first !== first.toLowerCase();
  return isCapital ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : phrase;
}

type Paraphrases = z.output<typeof paraphrases>;

/** Files that were read, by the episodes that they were read for. */
const known = new WeakMap<readonly BaseEpisode[], Paraphrases>();

function paraphrasesFor(episodes: readonly BaseEpisode[], file: string): Paraphrases {
  const found = known.get(episodes) ?? readParaphrases(file);
  known.set(episodes, found);
  return found;
}

function readParaphrases(file: string): Paraphrases {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new ConfigError("bad_paraphrases", `cannot read paraphrases: ${errorMessage(cause)}`, {
      where: file,
      hint: 'give a JSON file: {"<episode key, id or instruction>": ["...", "...", "..."]}',
      cause,
    });
  }
  const result = paraphrases.safeParse(raw);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new ConfigError(
      "bad_paraphrases",
      `${issue?.path.join(".") || "the file"}: expected a text or a list of texts`,
      { where: file },
    );
  }
  return result.data;
}
