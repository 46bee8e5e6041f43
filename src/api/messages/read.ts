import { ProtocolError, show } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import { MESSAGE_TYPES, type Message, messageSchema } from "./base.js";

/** Checks what arrived. What is wrong is said with the field's name, since its author reads it. */
export function readMessage(value: unknown): Message {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ProtocolError("bad_message", `${show(value)} is not a message`, {
      hint: "a message is an object with `type` and `session_id`",
    });
  }
  const type = "type" in value ? value.type : undefined;
  if (typeof type !== "string" || !(MESSAGE_TYPES as readonly string[]).includes(type)) {
    throw new ProtocolError("unknown_type", `there is no message of type ${show(type)}`, {
      hint: suggestion(String(type), MESSAGE_TYPES),
    });
  }
  const read = messageSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.join(".") || "message";
  throw new ProtocolError(
    "bad_message",
    `${type}: ${field}: ${issue?.message ?? "not as expected"}`,
    { hint: "docs/protocol.md lists the fields of every message" },
  );
}
