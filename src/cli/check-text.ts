import { show } from "../core/errors.js";
import type { CheckProgress, Difference } from "../evaluator/replay/documents.js";
import { lineName } from "../runs/line-name.js";
import { say } from "./output.js";

/** Differences that are shown; --json has them all. */
const SHOWN = 10;

const EVERY_MS = 5000;

/** A hash or a number whole, a long list not. */
const SHOWN_CHARACTERS = 70;

/** A plain line on stderr at most every five seconds. */
export function tellProgress(verb: string): (progress: CheckProgress) => void {
  let toldAt = performance.now();
  return ({ done, total, different }) => {
    const now = performance.now();
    if (now - toldAt < EVERY_MS && done < total) return;
    toldAt = now;
    const bad = different > 0 ? ` · ${different} different` : "";
    say(`${done}/${total} ${verb}${bad}`);
  };
}

export function differenceLines(differences: readonly Difference[]): string[] {
  const lines = differences.slice(0, SHOWN).map((one) => `  ${differenceText(one)}`);
  const more = differences.length - SHOWN;
  return more > 0 ? [...lines, `  and ${more} more (--json)`] : lines;
}

function differenceText({ episode_key, repeat, step, ...found }: Difference): string {
  const place = [lineName(episode_key, repeat), ...(step === null ? [] : [`step ${step}`])];
  const { field, recorded, now, why } = found;
  if (why !== undefined) return `${place.join(" ")}: ${field}: ${why}`;
  const [then, here] = [value(recorded), value(now)];
  return `${place.join(" ")}: ${field} was ${then}, is ${here}`;
}

function value(of: unknown): string {
  return of === null ? "not there" : show(of, SHOWN_CHARACTERS);
}
