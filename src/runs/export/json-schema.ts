import { isRecord } from "../../core/record.js";

/** As much of JSON Schema as Foxglove reads: it takes no `$ref`, no unions and no lists of lists. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A schema that all these messages fit, so that a viewer can offer their fields before it has seen one. A field
 * that is not of one type in all of them, or of none that Foxglove knows, is left out of it; that allows anything.
 */
export function schemaOf(title: string, messages: Iterable<object>): JsonSchema {
  const seen = new Seen();
  for (const message of messages) seen.add(message);
  return { title, ...(seen.schema() ?? { type: "object", properties: {} }) };
}

/** What stood in one place of the messages. */
class Seen {
  readonly #kinds = new Set<string>();
  readonly #fields = new Map<string, Seen>();
  #items: Seen | undefined;

  add(value: unknown): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      this.#kinds.add("array");
      this.#items ??= new Seen();
      for (const item of value) this.#items.add(item);
      return;
    }
    this.#kinds.add(typeof value);
    if (!isRecord(value)) return;
    for (const [key, child] of Object.entries(value)) {
      const field = this.#fields.get(key) ?? new Seen();
      this.#fields.set(key, field);
      field.add(child);
    }
  }

  schema(): JsonSchema | undefined {
    const [type, ...others] = this.#kinds;
    if (type === undefined || others.length > 0) return undefined;
    if (type === "array") {
      const items = this.#items?.schema();
      return items && items.type !== "array" ? { type, items } : undefined;
    }
    if (type !== "object") return { type };
    const properties = [...this.#fields].flatMap(([key, field]) => {
      const own = field.schema();
      return own ? [[key, own]] : [];
    });
    return { type, properties: Object.fromEntries(properties) };
  }
}
