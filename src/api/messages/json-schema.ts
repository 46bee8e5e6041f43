import { type JsonSchema, toJsonSchema } from "../../config/json-schema.js";
import { messageSchema } from "./base.js";

/**
 * The ten messages as JSON Schema, for peers in other languages.
 *
 * @example
 * import { writeFileSync } from "node:fs";
 * writeFileSync("protocol.schema.json", JSON.stringify(protocolJsonSchema()));
 */
export function protocolJsonSchema(): JsonSchema {
  return {
    title: "robot-eval protocol 1.0",
    description: "One WebSocket frame: one of the ten messages",
    ...toJsonSchema(messageSchema),
  };
}

/** As `docs/protocol.schema.json` holds it. */
export function protocolJsonSchemaText(): string {
  return `${JSON.stringify(protocolJsonSchema(), null, 2)}\n`;
}
