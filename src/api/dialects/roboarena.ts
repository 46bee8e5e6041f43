import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { ObservationMapping, SensorEntry } from "../../config/mapping.js";
import { StopRunError, show } from "../../core/errors.js";
import { packMsgpack } from "../codec/msgpack.js";
import type { Mapping } from "../mapping/resolve.js";
import { PeerError } from "../websocket/peer-error.js";
import type { PeerSocket } from "../websocket/peer-socket.js";
import type { Conversation, Dialect } from "./dialect.js";
import { apiKey, ask, policyFailed, readMetadata } from "./openpi.js";
import { droidActions } from "./roboarena-actions.js";

const RESET_DONE = "reset successful";

/** The metadata in which a server requests its observations. */
const configSchema = z.looseObject({
  image_resolution: z
    .tuple([z.int().positive(), z.int().positive()])
    .nullable()
    .describe("[height, width]"),
  needs_wrist_camera: z.boolean(),
  n_external_cameras: z.int().min(0).max(2),
  needs_stereo_camera: z.boolean(),
  needs_session_id: z.boolean(),
  action_space: z.string(),
});

type ServerConfig = z.output<typeof configSchema>;

/**
 * RoboArena: openpi's frames with an `endpoint` in each request. The server's metadata declares its cameras and
 * action space, so that a DROID-like robot (seven axes and a gripper) needs no mapping.
 */
export const roboarena: Dialect = {
  name: "roboarena",
  headers: apiKey,
  async greet(peer, context) {
    const config = readConfig(await readMetadata(peer, context.waitMs), peer.url);
    return new RoboarenaConversation(peer, config, {
      observation: context.mapping.observation ?? droidObservation(config),
      action: context.mapping.action ?? droidActions(config.action_space, context.task),
    });
  },
};

class RoboarenaConversation implements Conversation {
  readonly about: ServerConfig;
  readonly actionKeys = ["actions"];
  #session = "";

  constructor(
    private readonly peer: PeerSocket,
    config: ServerConfig,
    readonly mapping: Mapping,
  ) {
    this.about = config;
  }

  async begin(_: unknown, waitMs: number): Promise<void> {
    this.#session = randomUUID();
    // Policies without sessions may keep state from an earlier client.
    if (!this.about.needs_session_id) await this.#reset(waitMs);
  }

  infer(observation: Readonly<Record<string, unknown>>, waitMs: number) {
    return ask(this.peer, { ...observation, ...this.#sessionId(), endpoint: "infer" }, waitMs);
  }

  /** Resets the policy's session state at its end, as RoboArena's own evaluation does. */
  async end(_: unknown, waitMs: number): Promise<void> {
    if (this.about.needs_session_id && this.peer.isOpen) await this.#reset(waitMs);
  }

  async #reset(waitMs: number): Promise<void> {
    await this.peer.send(packMsgpack({ ...this.#sessionId(), endpoint: "reset" }));
    const answer = await this.peer.receive(waitMs, "answer to a reset");
    if (answer === RESET_DONE) return;
    this.peer.drop();
    if (typeof answer === "string") throw policyFailed(answer);
    throw new PeerError("bad_reply", "the policy answered a reset with a binary frame");
  }

  #sessionId(): { readonly session_id?: string } {
    return this.about.needs_session_id ? { session_id: this.#session } : {};
  }
}

function readConfig(metadata: unknown, url: string): ServerConfig {
  const { success, data, error } = configSchema.safeParse(metadata);
  if (success) return data;
  const where = error.issues.map((issue) => issue.path.join(".")).join(", ");
  throw new StopRunError("no_roboarena", `the server's metadata is not RoboArena's: ${where}`, {
    where: url,
    hint: `it says ${show(metadata, 200)}; use openpi+ws:// for an openpi server`,
  });
}

/** Builds DROID's observations from our sensors. */
function droidObservation(config: ServerConfig): ObservationMapping {
  const { image_resolution: size, n_external_cameras: external } = config;
  if (external > 1 || config.needs_stereo_camera) {
    throw new StopRunError(
      "missing_sensor",
      config.needs_stereo_camera
        ? "the policy requests stereo cameras, which are not supported"
        : `the policy requests ${external} external cameras; only one, rgb_head, exists`,
      {
        where: "policy.mapping.observation",
        hint: "map other sensors to the policy's inputs there",
      },
    );
  }
  const camera = (from: string): SensorEntry =>
    size ? { from, resize: [size[1], size[0]] } : { from };
  return {
    ...(config.needs_wrist_camera ? { "observation/wrist_image_left": camera("rgb_wrist") } : {}),
    ...(external > 0 ? { "observation/exterior_image_0_left": camera("rgb_head") } : {}),
    "observation/joint_position": { from: "qpos", take: [0, 7], dtype: "float32" },
    "observation/cartesian_position": {
      concat: [
        { from: "ee_pose", take: [0, 3] },
        { from: "ee_pose", take: [3, 7], rotation: { from: "quat_wxyz", to: "euler_xyz" } },
      ],
      dtype: "float32",
    },
    // DROID measures how far the gripper is closed, ours how far it is open.
    "observation/gripper_position": {
      from: "gripper_state",
      range: { from: [0, 1], to: [1, 0] },
      dtype: "float32",
    },
    prompt: "instruction.text",
  };
}
