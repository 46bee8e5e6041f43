/** How numbers and times read in reports. A value that is missing, or was damaged, is a dash. */

const NOTHING = "–";

/** Whole numbers from 10 bare, others with three places, as the command line has them. */
export function number(value: unknown): string {
  if (typeof value !== "number" || !Number.isFinite(value)) return NOTHING;
  if (Number.isInteger(value) && Math.abs(value) >= 10) return String(value);
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toFixed(3);
}

/** Nothing at all where there is no interval: the mean beside it says so already. */
export function intervalNote(
  ci95: readonly [low: number, high: number] | null | undefined,
): string {
  return ci95 ? interval(ci95) : "";
}

export function interval(ci95: readonly [low: number, high: number] | null | undefined): string {
  return ci95 ? `[${number(ci95[0])}, ${number(ci95[1])}]` : NOTHING;
}

/** Milliseconds in the unit that they are read in. */
export function duration(ms: unknown): string {
  if (typeof ms !== "number" || !Number.isFinite(ms)) return NOTHING;
  if (ms < 1) return `${ms.toFixed(3)} ms`;
  if (ms < 1000) return `${ms.toPrecision(3)} ms`;
  const seconds = ms / 1000;
  if (seconds < 120) return `${seconds.toPrecision(3)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `2026-01-01 12:00 UTC` of an ISO time; whatever else stands there is left as it is. */
export function utc(time: unknown): string {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(time));
  return found ? `${found[1]} ${found[2]} UTC` : String(time ?? NOTHING);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** An argument as a shell takes it; bare where nothing in it means anything to one. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
