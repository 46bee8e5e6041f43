import { toJsonSchema } from "../../config/json-schema.js";
import { SIM_PROTOCOL, simMessageSchema } from "./messages.js";

/** The text of `docs/simulator.schema.json`: the messages of simulators as JSON Schema. */
export function simulatorJsonSchemaText(): string {
  const schema = {
    title: SIM_PROTOCOL,
    description: "One WebSocket frame between the evaluator and a simulator in another process",
    ...toJsonSchema(simMessageSchema),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
