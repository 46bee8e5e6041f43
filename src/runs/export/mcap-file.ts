import type { McapTypes } from "@mcap/core";
import { FOXGLOVE_SCHEMAS } from "./foxglove-schemas.js";
import { type JsonSchema, schemaOf } from "./json-schema.js";
import { type EpisodeMessage, FOXGLOVE_TOPICS } from "./mcap-messages.js";

/** Encodes JSON messages as an MCAP file. The same messages give the same bytes. */
export async function mcapBytes(
  messages: readonly EpisodeMessage[],
  metadata: Readonly<Record<string, string>>,
  library: string,
): Promise<Uint8Array> {
  const { McapWriter } = await import("@mcap/core");
  const parts: Uint8Array[] = [];
  let size = 0;
  const writable = {
    // Copy: the library reuses its buffer.
    write: async (bytes: Uint8Array) => {
      parts.push(bytes.slice());
      size += bytes.length;
    },
    position: () => BigInt(size),
  };
  const writer = new McapWriter({ writable });
  await writer.start({ profile: "", library });
  await writer.addMetadata({ name: "robot_eval", metadata: new Map(Object.entries(metadata)) });
  const channels = new Map<string, number>();
  const encoder = new TextEncoder();
  const json = (value: object) => encoder.encode(JSON.stringify(value));
  for (const topic of new Set(messages.map((message) => message.topic))) {
    const { name, schema } = schemaFor(topic, messages);
    const schemaId = await writer.registerSchema({
      name,
      encoding: "jsonschema",
      data: json(schema),
    });
    const channel = { topic, schemaId, messageEncoding: "json", metadata: new Map() };
    channels.set(topic, await writer.registerChannel(channel));
  }
  for (const [sequence, { topic, ns, data }] of messages.entries()) {
    const message: McapTypes.Message = {
      channelId: channels.get(topic) ?? 0,
      sequence,
      logTime: ns,
      publishTime: ns,
      data: json(data),
    };
    await writer.addMessage(message);
  }
  await writer.end();
  return Buffer.concat(parts, size);
}

function schemaFor(
  topic: string,
  messages: readonly EpisodeMessage[],
): { readonly name: string; readonly schema: JsonSchema } {
  if (isFoxglove(topic)) {
    const name = FOXGLOVE_TOPICS[topic];
    return { name, schema: FOXGLOVE_SCHEMAS[name] };
  }
  const name = `robot_eval.${topic.slice(1)}`;
  const own = messages.filter((message) => message.topic === topic);
  return {
    name,
    schema: schemaOf(
      name,
      own.map(({ data }) => data),
    ),
  };
}

function isFoxglove(topic: string): topic is keyof typeof FOXGLOVE_TOPICS {
  return Object.hasOwn(FOXGLOVE_TOPICS, topic);
}
