import { ProtocolError, show } from "../../core/errors.js";
import { NdArray } from "../codec/ndarray.js";
import { recordOf } from "../messages/episode-fields.js";

/** Projects whose clients can be served. In each, requests and replies are MessagePack maps of arrays. */
export type DialectName = "openpi" | "behavior" | "roboarena";

interface Timing {
  readonly inferMs: number;
  /** Milliseconds from receiving the last request to sending its reply. */
  readonly lastTotalMs: number | undefined;
}

export interface Dialect {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The reply to a request that starts an episode; undefined if it asks for an action. */
  reset(request: Readonly<Record<string, unknown>>): { readonly answer?: string } | undefined;
  /** Keys of a request that do not belong to the observation. */
  readonly ownKeys: readonly string[];
  reply(actions: readonly unknown[], timing: Timing): Record<string, unknown>;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  openpi: {
    metadata: {},
    ownKeys: [],
    reset: () => undefined,
    reply: (actions, timing) => ({
      actions: matrix(actions),
      policy_timing: { infer_ms: timing.inferMs },
      server_timing: serverTiming(timing),
    }),
  },
  behavior: {
    metadata: {},
    ownKeys: [],
    reset: (request) => ("reset" in request ? {} : undefined),
    // BEHAVIOR's evaluator passes the vector to the robot unchanged.
    reply: (actions, timing) => {
      const rows = matrix(actions);
      const action =
        actions.length === 1 ? new NdArray("<f8", rows.shape.slice(1), rows.data) : rows;
      return { action, server_timing: serverTiming(timing) };
    },
  },
  roboarena: {
    // RoboArena's client requires exactly these keys.
    metadata: {
      image_resolution: [224, 224],
      needs_wrist_camera: true,
      n_external_cameras: 1,
      needs_stereo_camera: false,
      needs_session_id: false,
      action_space: "joint_position",
    },
    ownKeys: ["endpoint"],
    reset: ({ endpoint }) => (endpoint === "reset" ? { answer: "reset successful" } : undefined),
    reply: (actions) => ({ actions: matrix(actions) }),
  },
};

/** Stacks the actions into one array, one row each. */
function matrix(actions: readonly unknown[]): NdArray {
  const rows = actions.map((action) => {
    if (Array.isArray(action)) return action as readonly number[];
    const { qpos } = recordOf(action);
    if (Array.isArray(qpos)) return qpos as readonly number[];
    throw new ProtocolError(
      "bad_action",
      `act returned ${show(action)}; this dialect only supports vectors`,
    );
  });
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width)) {
    throw new ProtocolError("bad_action", "act returned actions of different lengths");
  }
  return new NdArray("<f8", [rows.length, width], Float64Array.from(rows.flat()));
}

function serverTiming({ inferMs, lastTotalMs }: Timing): Record<string, number> {
  return {
    infer_ms: inferMs,
    ...(lastTotalMs === undefined ? {} : { prev_total_ms: lastTotalMs }),
  };
}
