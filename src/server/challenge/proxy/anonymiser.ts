import { createHmac } from "node:crypto";
import type { MessageOf } from "../../../api/messages/base.js";
import { isRecord } from "../../../core/record.js";
import type { PhaseConfig } from "../config.js";

type Fields = Readonly<Record<string, unknown>>;

/** Prefix of the graph simulator's actions that name a viewpoint. */
const GOTO = "goto:";
/** Prefix for names that are not a known viewpoint; the agent's text follows, for the organisers. */
const NO_VIEWPOINT = "?";
const ID_BYTES = 16;

/**
 * Rewrites the messages of hidden episodes so that a policy receives only the instruction and its observations.
 * Outgoing fields are an allowlist: a field that is new in the protocol stays hidden until it is added here.
 *
 * Names are HMACs keyed with the server's secret and the submission. They reveal neither the original name nor its
 * order, and differ between submissions. Within one submission they are stable, because a policy may remember a
 * scene.
 */
export class Anonymiser {
  readonly #key: Buffer;
  /** The anonymised id of each session's current episode. */
  readonly #episodes = new Map<string, string>();
  /** Real viewpoints by their anonymised names. */
  readonly #viewpoints = new Map<string, string>();

  constructor(
    secret: Buffer,
    submissionId: string,
    private readonly phase: Pick<PhaseConfig, "hidden" | "disclose">,
  ) {
    this.#key = createHmac("sha256", secret).update(submissionId).digest();
  }

  reset(message: MessageOf<"reset_episode">): MessageOf<"reset_episode"> {
    if (!this.phase.hidden) return message;
    const { episode, session_id } = message;
    const fields: Fields = episode;
    // The seed is part of the identity, so that repeats of an episode get different names.
    const identity = JSON.stringify([episode.scene_id, episode.episode_id, fields.seed]);
    const episodeId = this.#name("episode", identity);
    this.#episodes.set(session_id, episodeId);
    const { disclose } = this.phase;
    const shown = (what: (typeof disclose)[number], key: string) =>
      key in fields ? { [key]: disclose.includes(what) ? fields[key] : null } : {};
    return {
      type: "reset_episode",
      session_id,
      episode: {
        episode_id: episodeId,
        task_type: episode.task_type,
        scene_id: this.#name("scene", episode.scene_id),
        instruction: instruction(fields.instruction),
        ...shown("start", "start_position"),
        ...shown("start", "start_rotation"),
        goals: disclose.includes("goals") ? (fields.goals ?? null) : goalCategory(fields),
        ...("reference_path" in fields ? { reference_path: null } : {}),
        ...("reference_trajectory" in fields ? { reference_trajectory: null } : {}),
        ...("robot_config" in fields ? { robot_config: fields.robot_config } : {}),
        ...shown("objects", "scene_objects"),
        action_space: fields.action_space,
        ...("sensors" in fields ? { sensors: fields.sensors } : {}),
        ...("conventions" in fields ? { conventions: fields.conventions } : {}),
        // For policies that sample; it does not reveal the evaluation's seed.
        seed: this.#number("seed", identity),
      },
    };
  }

  observation(message: MessageOf<"get_action">): MessageOf<"get_action"> {
    if (!this.phase.hidden) return message;
    const { session_id, task_type, step } = message;
    const entries = Object.entries(message.observation).map(([name, value]) => {
      if (name === "instruction") return [name, instruction(value)];
      if (name === "viewpoint") return [name, this.#viewpoint(value)];
      if (name === "candidates" && Array.isArray(value)) return [name, value.map(this.#candidate)];
      return [name, value];
    });
    return {
      type: "get_action",
      session_id,
      task_type,
      observation: Object.fromEntries(entries),
      ...(step === undefined ? {} : { step }),
    };
  }

  /** Replaces the reason: one such as `success` would reveal the result. */
  end(message: MessageOf<"episode_end">): MessageOf<"episode_end"> {
    const { type, session_id, steps } = message;
    if (!this.phase.hidden) return message;
    const episodeId = this.#episodes.get(session_id) ?? "";
    this.#episodes.delete(session_id);
    return { type, session_id, episode_id: episodeId, reason: "over", steps };
  }

  /** Replaces anonymised names in a policy's action with the real ones. */
  action(message: MessageOf<"action">): MessageOf<"action"> {
    if (!this.phase.hidden) return message;
    const { action, actions, ...rest } = message;
    return {
      ...rest,
      ...(action === undefined ? {} : { action: this.#realName(action) }),
      ...(actions === undefined ? {} : { actions: actions.map((one) => this.#realName(one)) }),
    };
  }

  #realName(action: unknown): unknown {
    if (isRecord(action) && "name" in action) {
      return { ...action, name: this.#realName(action.name) };
    }
    if (typeof action !== "string" || !action.startsWith(GOTO)) return action;
    const name = action.slice(GOTO.length);
    // Real names are rejected like unknown ones: an agent must not learn that a viewpoint exists.
    return `${GOTO}${this.#viewpoints.get(name) ?? `${NO_VIEWPOINT}${name}`}`;
  }

  readonly #candidate = (value: unknown): unknown =>
    isRecord(value) && "viewpoint" in value
      ? { ...value, viewpoint: this.#viewpoint(value.viewpoint) }
      : this.#viewpoint(value);

  #viewpoint(value: unknown): unknown {
    if (typeof value !== "string") return value;
    const name = this.#name("viewpoint", value);
    this.#viewpoints.set(name, value);
    return name;
  }

  #name(kind: string, value: string): string {
    return this.#digest(kind, value).subarray(0, ID_BYTES).toString("hex");
  }

  /** A number of 31 bits, which NumPy accepts as a seed. */
  #number(kind: string, value: string): number {
    return this.#digest(kind, value).readUInt32BE(0) >>> 1;
  }

  #digest(kind: string, value: string): Buffer {
    return createHmac("sha256", this.#key).update(`${kind}\0${value}`).digest();
  }
}

/** Keeps the text only. Datasets add ids, annotators and whole dialogues with viewpoints. */
function instruction(value: unknown): unknown {
  if (!isRecord(value)) return typeof value === "string" ? value : null;
  const { text, tokens, language } = value;
  return {
    ...(typeof text === "string" ? { text } : {}),
    ...(Array.isArray(tokens) ? { tokens } : {}),
    ...(typeof language === "string" ? { language } : {}),
  };
}

/** Keeps the object category, which an ObjectNav policy needs. */
function goalCategory({ goals, task_type }: Fields): Fields | null {
  if (task_type !== "objectnav" || !isRecord(goals)) return null;
  return typeof goals.object_category === "string"
    ? { object_category: goals.object_category }
    : null;
}
