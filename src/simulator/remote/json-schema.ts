import { toJsonSchema } from "../../config/json-schema.js";
import { SIM_PROTOCOL, simMessageSchema } from "./messages.js";

/** The simulators' messages as JSON Schema, as `docs/simulator.schema.json` holds it. */
export function simulatorJsonSchemaText(): string {
  const schema = {
    title: SIM_PROTOCOL,
    description: "One WebSocket frame between the evaluator and a simulator in another process",
    ...toJsonSchema(simMessageSchema),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
