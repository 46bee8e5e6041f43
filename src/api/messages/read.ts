import { ProtocolError, show } from "../../core/errors.js";
import { cleanIdentity } from "../../core/policy-identity.js";
import { suggestion } from "../../core/registry.js";
import { cleanLines, cleanText } from "../../core/text.js";
import { type Capabilities, MESSAGE_TYPES, type Message, messageSchema } from "./base.js";

/** Maximum length of a peer's name and error texts, which are stored, logged and shown. */
const MOST_NAME = 200;
const MOST_MESSAGE = 2000;

/**
 * Validates a received message. Errors name the field, because the peer's author reads them.
 *
 * @example
 * const message = readMessage({ type: "action", session_id: "s1", action: "stop" });
 * if (message.type === "action") console.log(message.action);
 */
export function readMessage(value: unknown): Message {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ProtocolError("bad_message", `${show(value)} is not a message`, {
      hint: "send an object with `type` and `session_id`",
    });
  }
  const type = "type" in value ? value.type : undefined;
  if (typeof type !== "string" || !(MESSAGE_TYPES as readonly string[]).includes(type)) {
    throw new ProtocolError("unknown_type", `unknown message type ${show(type)}`, {
      hint: suggestion(String(type).slice(0, MOST_NAME), MESSAGE_TYPES),
    });
  }
  const read = messageSchema.safeParse(value);
  if (read.success) return cleaned(read.data);
  const [issue] = read.error.issues;
  const field = issue?.path.join(".") || "message";
  throw new ProtocolError(
    "bad_message",
    cleanText(`${type}: ${field}: ${issue?.message ?? "invalid"}`, MOST_MESSAGE),
    { hint: "see docs/protocol.md for the fields of every message" },
  );
}

/**
 * Truncates a peer's text for people and removes control characters. Actions are checked later by
 * `ActionSpace.parse`, on every path to a policy; tokens and ids are compared, never shown.
 */
function cleaned(message: Message): Message {
  switch (message.type) {
    case "error": {
      const { code, message: text } = message;
      return {
        ...message,
        code: cleanText(code, MOST_NAME),
        message: cleanLines(text, MOST_MESSAGE),
      };
    }
    case "disconnect":
      return message.reason === undefined
        ? message
        : { ...message, reason: cleanText(message.reason, MOST_NAME) };
    case "connect":
    case "connected":
      return {
        ...message,
        ...(message.capabilities && { capabilities: capabilities(message.capabilities) }),
        ...(message.policy && { policy: { ...cleanIdentity(message.policy) } }),
      };
    default:
      return message;
  }
}

function capabilities({ sensors, conventions, ...rest }: Capabilities): Capabilities {
  const line = (text: string) => cleanText(text, MOST_NAME);
  return {
    ...rest,
    ...(sensors === undefined ? {} : { sensors: sensors.map(line) }),
    ...(conventions === undefined
      ? {}
      : {
          conventions: Object.fromEntries(
            Object.entries(conventions).map(([name, value]) => [
              line(name),
              typeof value === "string" ? line(value) : value,
            ]),
          ),
        }),
  };
}
