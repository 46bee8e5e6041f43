/** Formats a number as the command line does (src/runs/report/format.ts). */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) && Math.abs(value) >= 10) return String(value);
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toFixed(3);
}

export function formatSigned(value: number): string {
  return `${value >= 0 ? "+" : ""}${formatNumber(value)}`;
}

export function formatInterval(ci95: readonly [number, number] | null | undefined): string {
  return ci95 ? `[${formatNumber(ci95[0])}, ${formatNumber(ci95[1])}]` : "–";
}

export function formatP(p: number | null): string {
  if (p === null) return "–";
  if (p === 0) return "<1e-300";
  return p < 0.001 ? p.toExponential(1) : p.toFixed(3);
}

/** 12 ms, 3.4 s, 5 min 12 s, 2 h 3 min */
export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** In the browser's time zone. */
export function formatTime(iso: string, language: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(date);
}

export function formatPercent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

/** The unit in parentheses; empty for dimensionless numbers, whose unit is `1`. */
export function unitText(unit: string, before = ""): string {
  return unit === "" || unit === "1" ? "" : `${before}(${unit})`;
}
