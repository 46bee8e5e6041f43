import { createHmac } from "node:crypto";
import type { MessageOf } from "../../api/messages/base.js";
import { isRecord } from "../../core/record.js";
import type { PhaseConfig } from "./config.js";

type Fields = Readonly<Record<string, unknown>>;

/** An action of the graph simulator that names a viewpoint. */
const GOTO = "goto:";
const ID_BYTES = 16;

/**
 * What a policy is told of hidden episodes: what was asked, and what its sensors show. Everything that goes out is
 * picked, none is taken away, so that a field that is new in the protocol stays inside until somebody lets it out.
 *
 * Names are an HMAC with the server's secret and the submission: they tell nothing of what they stand for, nor in
 * which order, and those of two submissions have nothing in common. Within one submission they are stable, since
 * a policy may well remember a scene.
 */
export class Veil {
  readonly #key: Buffer;
  readonly #phase: Pick<PhaseConfig, "hidden" | "disclose">;
  /** What each session is at, by the session's id. */
  readonly #episodes = new Map<string, string>();
  /** Real viewpoints by their names outside, so that a policy can ask for one. */
  readonly #viewpoints = new Map<string, string>();

  constructor(
    secret: Buffer,
    submissionId: string,
    phase: Pick<PhaseConfig, "hidden" | "disclose">,
  ) {
    this.#key = createHmac("sha256", secret).update(submissionId).digest();
    this.#phase = phase;
  }

  reset(message: MessageOf<"reset_episode">): MessageOf<"reset_episode"> {
    if (!this.#phase.hidden) return message;
    const { episode, session_id } = message;
    const fields: Fields = episode;
    // Each repeat of an episode has a seed of its own, and so a name of its own.
    const identity = JSON.stringify([episode.scene_id, episode.episode_id, fields.seed]);
    const episodeId = this.#name("episode", identity);
    this.#episodes.set(session_id, episodeId);
    const { disclose } = this.#phase;
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
        goals: disclose.includes("goals") ? (fields.goals ?? null) : question(fields),
        ...("reference_path" in fields ? { reference_path: null } : {}),
        ...("reference_trajectory" in fields ? { reference_trajectory: null } : {}),
        ...("robot_config" in fields ? { robot_config: fields.robot_config } : {}),
        ...shown("objects", "scene_objects"),
        action_space: fields.action_space,
        ...("sensors" in fields ? { sensors: fields.sensors } : {}),
        ...("conventions" in fields ? { conventions: fields.conventions } : {}),
        // For policies that draw lots; it says nothing of the evaluation's own.
        seed: this.#number("seed", identity),
      },
    };
  }

  observation(message: MessageOf<"get_action">): MessageOf<"get_action"> {
    if (!this.#phase.hidden) return message;
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

  /** That it is over, and nothing of how: a reason such as `success` is a result. */
  end(message: MessageOf<"episode_end">): MessageOf<"episode_end"> {
    const { type, session_id, steps } = message;
    if (!this.#phase.hidden) return message;
    const episodeId = this.#episodes.get(session_id) ?? "";
    this.#episodes.delete(session_id);
    return { type, session_id, episode_id: episodeId, reason: "over", steps };
  }

  /** A policy's answer with the names that the evaluator knows. */
  action(message: MessageOf<"action">): MessageOf<"action"> {
    if (!this.#phase.hidden || this.#viewpoints.size === 0) return message;
    const { action, actions, ...rest } = message;
    return {
      ...rest,
      ...(action === undefined ? {} : { action: this.#inside(action) }),
      ...(actions === undefined ? {} : { actions: actions.map((one) => this.#inside(one)) }),
    };
  }

  #inside(action: unknown): unknown {
    if (isRecord(action) && "name" in action) {
      return { ...action, name: this.#inside(action.name) };
    }
    if (typeof action !== "string" || !action.startsWith(GOTO)) return action;
    const name = action.slice(GOTO.length);
    return `${GOTO}${this.#viewpoints.get(name) ?? name}`;
  }

  readonly #candidate = (value: unknown): unknown =>
    isRecord(value) && "viewpoint" in value
      ? { ...value, viewpoint: this.#viewpoint(value.viewpoint) }
      : value;

  #viewpoint(value: unknown): unknown {
    if (typeof value !== "string") return value;
    const name = this.#name("viewpoint", value);
    this.#viewpoints.set(name, value);
    return name;
  }

  #name(kind: string, value: string): string {
    return this.#digest(kind, value).subarray(0, ID_BYTES).toString("hex");
  }

  /** Of 31 bits, as NumPy's seeds may have. */
  #number(kind: string, value: string): number {
    return this.#digest(kind, value).readUInt32BE(0) >>> 1;
  }

  #digest(kind: string, value: string): Buffer {
    return createHmac("sha256", this.#key).update(`${kind}\0${value}`).digest();
  }
}

/** Words. Datasets keep more beside them: ids, annotators, whole dialogues with viewpoints. */
function instruction(value: unknown): unknown {
  if (!isRecord(value)) return typeof value === "string" ? value : null;
  const { text, tokens, language } = value;
  return {
    ...(typeof text === "string" ? { text } : {}),
    ...(Array.isArray(tokens) ? { tokens } : {}),
    ...(typeof language === "string" ? { language } : {}),
  };
}

/** An ObjectNav policy must know what to look for. */
function question({ goals, task_type }: Fields): Fields | null {
  if (task_type !== "objectnav" || !isRecord(goals)) return null;
  return typeof goals.object_category === "string"
    ? { object_category: goals.object_category }
    : null;
}
