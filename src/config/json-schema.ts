import { z } from "zod";
import { sectionsSchema, TASK_SUFFIX, taskSectionSchema } from "./schema.js";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Converts a zod schema to the JSON Schema of its input, without defaults filled in. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    // YAML editors support this draft best.
    target: "draft-7",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // zod adds this maximum to every whole number; drop it.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
}

/** The JSON Schema of a benchmark file, for editors; also the source of error texts. */
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

/** The content of `configs/benchmark.schema.json`. */
export function benchmarkJsonSchemaText(): string {
  return `${JSON.stringify(benchmarkJsonSchema(), null, 2)}\n`;
}
