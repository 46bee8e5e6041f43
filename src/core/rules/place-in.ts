import { isRecord } from "../record.js";

/** The path of a text in a document, such as `target_object.name`; undefined if it is not there. */
export function placeIn(document: unknown, text: string): string | undefined {
  return stepsTo(document, text)?.join("").replace(/^\./, "");
}

function stepsTo(document: unknown, text: string): readonly string[] | undefined {
  if (document === text) return [];
  const entries = Array.isArray(document)
    ? document.map((part, i) => [`[${i}]`, part] as const)
    : isRecord(document)
      ? Object.entries(document).map(([key, part]) => [`.${key}`, part] as const)
      : [];
  for (const [step, part] of entries) {
    const rest = stepsTo(part, text);
    if (rest) return [step, ...rest];
  }
  return undefined;
}
