import { number } from "./output.js";

export function signed(value: number): string {
  return `${value >= 0 ? "+" : ""}${number(value)}`;
}

export function pText(p: number | null): string {
  if (p === null) return "–";
  if (p === 0) return "<1e-300";
  return p < 0.001 ? p.toExponential(1) : p.toFixed(3);
}
