import { z } from "zod";
import { sectionsSchema, TASK_SUFFIX, taskSectionSchema } from "./schema.js";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Any zod schema as the JSON Schema of what may be written, not of what comes out with defaults. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    // Editors' YAML support is most complete for this draft.
    target: "draft-7",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // "At most 9007199254740991" is what zod says of every whole number; nobody needs to read it.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
}

/** The JSON Schema of a benchmark file, for editors; also the source of the wording of errors. */
export function benchmarkJsonSchema(): JsonSchema {
  const { $schema, ...sections } = toJsonSchema(sectionsSchema);
  const { $schema: _, ...task } = toJsonSchema(taskSectionSchema);
  return {
    ...($schema === undefined ? {} : { $schema }),
    title: "robot-eval benchmark",
    description: "A benchmark: one or more <x>_task sections, each with its dataset.<x>",
    ...sections,
    patternProperties: { [`${TASK_SUFFIX}$`]: task },
  };
}

/** As `configs/benchmark.schema.json` holds it. */
export function benchmarkJsonSchemaText(): string {
  return `${JSON.stringify(benchmarkJsonSchema(), null, 2)}\n`;
}
