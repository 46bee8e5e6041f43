/** Formats numbers and times for reports. A missing or malformed value becomes a dash. */

const NOTHING = "–";

/** Prints integers of 10 or more, and any value of 1000 or more, without decimals; others with three. */
export function number(value: unknown): string {
  if (typeof value !== "number" || !Number.isFinite(value)) return NOTHING;
  if (Number.isInteger(value) && Math.abs(value) >= 10) return String(value);
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toFixed(3);
}

/** Empty without an interval: the dash next to it already shows that the value is missing. */
export function intervalNote(
  ci95: readonly [low: number, high: number] | null | undefined,
): string {
  return ci95 ? interval(ci95) : "";
}

export function interval(ci95: readonly [low: number, high: number] | null | undefined): string {
  return ci95 ? `[${number(ci95[0])}, ${number(ci95[1])}]` : NOTHING;
}

/** With a plus sign unless it is negative. */
export function signed(value: number | null): string {
  return `${value !== null && value >= 0 ? "+" : ""}${number(value)}`;
}

export function pText(p: number | null): string {
  if (p === null) return NOTHING;
  if (p === 0) return "<1e-300";
  return p < 0.001 ? p.toExponential(1) : p.toFixed(3);
}

/** Prints milliseconds in the unit that suits their size. */
export function duration(ms: unknown): string {
  if (typeof ms !== "number" || !Number.isFinite(ms)) return NOTHING;
  if (ms < 1) return `${ms.toFixed(3)} ms`;
  if (ms < 1000) return `${ms.toPrecision(3)} ms`;
  const seconds = ms / 1000;
  if (seconds < 120) return `${seconds.toPrecision(3)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Prints an ISO time as `2026-01-01 12:00 UTC`; returns other text unchanged. */
export function utc(time: unknown): string {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(time));
  return found ? `${found[1]} ${found[2]} UTC` : String(time ?? NOTHING);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Quotes an argument for a POSIX shell if it contains special characters. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
