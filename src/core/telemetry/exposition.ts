import type { Family, Labels } from "./family.js";

/** Content type of the text format. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Writes metrics in Prometheus' text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/): for each family its HELP and TYPE, then its
 * samples, one per line.
 */
export function exposition(families: Iterable<Family>): string {
  let text = "";
  for (const family of families) {
    const { name, help, type } = family;
    text += `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
    for (const { suffix, labels, value } of family.samples()) {
      text += `${name}${suffix}${labelText(labels)} ${exposedNumber(value)}\n`;
    }
  }
  return text;
}

/** A number as Go parses it, which does not accept `Infinity`. */
export function exposedNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
