import { show } from "../../core/errors.js";
import { oneLine } from "../../core/text.js";
import type {
  CheckProgress,
  Difference,
  ReplayReport,
} from "../../evaluator/check/replay/documents.js";
import { lineName } from "../../runs/directory/line-name.js";
import { say } from "../output.js";

/** Number of differences shown; --json has all. */
const SHOWN = 10;

const EVERY_MS = 5000;

/** Maximum length of a value: a hash or number fits, a long list is cut. */
const SHOWN_CHARACTERS = 70;

/** Prints a line on stderr at most every five seconds. */
export function tellProgress(verb: string): (progress: CheckProgress) => void {
  let printedAt = performance.now();
  return ({ done, total, different, errors = 0 }) => {
    const now = performance.now();
    if (now - printedAt < EVERY_MS && done < total) return;
    printedAt = now;
    const bad = [
      ...(different > 0 ? [`${different} different`] : []),
      ...(errors > 0 ? [`${errors} with an error`] : []),
    ];
    say([`${done}/${total} ${verb}`, ...bad].join(" · "));
  };
}

export function differenceLines(differences: readonly Difference[]): string[] {
  return firstLines(differences, differenceText);
}

/** The episodes that could not be replayed. */
export function errorLines(errors: ReplayReport["errors"]): string[] {
  return firstLines(errors, ({ episode_key, repeat, why }) =>
    oneLine(`${lineName(episode_key, repeat)}: error: ${why}`),
  );
}

function firstLines<T>(all: readonly T[], text: (one: T) => string): string[] {
  const lines = all.slice(0, SHOWN).map((one) => `  ${text(one)}`);
  const more = all.length - SHOWN;
  return more > 0 ? [...lines, `  and ${more} more (--json)`] : lines;
}

function differenceText({ episode_key, repeat, step, ...found }: Difference): string {
  const name = oneLine(lineName(episode_key, repeat));
  const place = [name, ...(step === null ? [] : [`step ${step}`])];
  const { field, recorded, now, why } = found;
  if (why !== undefined) return `${place.join(" ")}: ${oneLine(`${field}: ${why}`)}`;
  const [then, here] = [value(recorded), value(now)];
  return `${place.join(" ")}: ${field} was ${then}, is ${here}`;
}

function value(of: unknown): string {
  return of === null ? "missing" : show(of, SHOWN_CHARACTERS);
}
