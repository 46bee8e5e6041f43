import { cleanLines } from "../../core/text.js";

/** Escapes that PostgreSQL cannot convert to text: NUL, and halves of surrogate pairs. */
const UNSUPPORTED = /\\u(0000|d[89a-f][0-9a-f]{2})/i;

/**
 * Serialises a document for a `json` or `jsonb` column without those characters. PostgreSQL stores NUL in `json`
 * but fails on reading a field of the row, so one such text would break every query on the table.
 */
export function jsonText(document: unknown): string {
  const text = JSON.stringify(document);
  if (!UNSUPPORTED.test(text)) return text;
  return JSON.stringify(document, (_, value: unknown) =>
    typeof value === "string" ? cleanLines(value, Number.POSITIVE_INFINITY) : cleanKeys(value),
  );
}

function cleanKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, held]) => [cleanLines(key, Number.POSITIVE_INFINITY), held]),
  );
}
