import { isRecord } from "../../core/record.js";

/** The subset of JSON Schema that Foxglove reads: no `$ref`, no unions and no lists of lists. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Infers a schema that all messages satisfy, so that a viewer can list their fields before reading one. Omits fields
 * of mixed or unsupported types, which leaves them unconstrained.
 */
export function schemaOf(title: string, messages: Iterable<object>): JsonSchema {
  const seen = new TypeCollector();
  for (const message of messages) seen.add(message);
  return { title, ...(seen.schema() ?? { type: "object", properties: {} }) };
}

/** Collects the types of the values at one path of the messages. */
class TypeCollector {
  readonly #kinds = new Set<string>();
  readonly #fields = new Map<string, TypeCollector>();
  #items: TypeCollector | undefined;

  add(value: unknown): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      this.#kinds.add("array");
      this.#items ??= new TypeCollector();
      for (const item of value) this.#items.add(item);
      return;
    }
    this.#kinds.add(typeof value);
    if (!isRecord(value)) return;
    for (const [key, child] of Object.entries(value)) {
      const field = this.#fields.get(key) ?? new TypeCollector();
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
