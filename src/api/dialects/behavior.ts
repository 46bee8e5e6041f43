import { packMsgpack } from "../codec/msgpack.js";
import type { Conversation, Dialect } from "./dialect.js";
import { apiKey, ask, readMetadata } from "./openpi.js";

/**
 * The BEHAVIOR challenge: openpi's frames, but a reply has one `action`, and an episode begins with a request that
 * has no reply.
 */
export const behavior: Dialect = {
  name: "behavior",
  headers: apiKey,
  async greet(peer, { mapping, waitMs }): Promise<Conversation> {
    return {
      about: await readMetadata(peer, waitMs),
      mapping,
      actionKeys: ["action", "actions"],
      begin: () => peer.send(packMsgpack({ reset: true })),
      infer: (observation, wait) => ask(peer, observation, wait),
      end: async () => {},
    };
  },
};
