import { z } from "zod";
import type { ConcatEntry, ObservationMapping } from "../../config/mapping.js";
import { StopRunError } from "../../core/errors.js";
import type { AgentTask } from "../../core/interfaces/agent.js";
import type { Mapping } from "../mapping/resolve.js";
import type { HandshakeContext } from "./dialect.js";
import { actionProblems, type Spec } from "./vla-eval-actions.js";

/** One part of a model server's inputs or outputs (vla-eval's DimSpec). */
const specSchema = z.looseObject({
  dims: z.number().default(0),
  format: z.string(),
});

const helloSchema = z.looseObject({
  observation_params: z.record(z.string(), z.unknown()).default({}),
  action_spec: z.record(z.string(), specSchema).default({}),
  observation_spec: z.record(z.string(), specSchema).default({}),
});

type Hello = z.output<typeof helloSchema>;

/**
 * Checks the server's `hello` against the task and reports all differences at once. Returns the mapping to use, with
 * defaults for the parts that the benchmark leaves open.
 */
export function fitVlaEval(payload: unknown, { mapping, task }: HandshakeContext): Mapping {
  const hello = readHello(payload);
  const { observation = observationFor(hello, task), action } = mapping;
  const problems = [
    ...(mapping.observation ? [] : stateProblems(hello, task)),
    ...actionProblems(hello.action_spec, hello.observation_params, task, action),
  ];
  if (problems.length === 0) return { observation, action };
  throw new StopRunError(
    "convention_mismatch",
    `the model server and the task ${task?.name ?? ""} do not fit: ${problems.join("; ")}`,
    {
      where: "policy.mapping",
      hint: "convert between them there (docs/dialects.md); `mapping: libero` is for policies trained on LIBERO",
    },
  );
}

function readHello(payload: unknown): Hello {
  const { success, data, error } = helloSchema.safeParse(payload);
  if (success) return data;
  const where = error.issues.map((issue) => issue.path.join(".")).join(", ");
  throw new StopRunError("bad_hello", `the model server's hello is invalid: ${where}`);
}

const TWO_FINGERS = [
  { from: "gripper_state", range: { from: [0, 1], to: [0, 0.04] } },
  { from: "gripper_state", range: { from: [0, 1], to: [0, -0.04] } },
] satisfies ConcatEntry["concat"];

function hand(to: "axis_angle" | "euler_xyz" | "quat_xyzw"): ConcatEntry["concat"] {
  return [
    { from: "ee_pose", take: [0, 3] },
    { from: "ee_pose", take: [3, 7], rotation: { from: "quat_wxyz", to } },
  ];
}

/** States that a server may request, built from our sensors. */
const STATES: Readonly<Record<string, ConcatEntry["concat"]>> = {
  eef_pos3_axisangle3_gripper2: [...hand("axis_angle"), ...TWO_FINGERS],
  eef_pos3_euler3_gripper2: [...hand("euler_xyz"), ...TWO_FINGERS],
  eef_pos3_quat4_gripper1: [...hand("quat_xyzw"), { from: "gripper_state" }],
  joint_positions: [{ from: "qpos" }],
};

/** LIBERO's names for the sensors, which most servers know. A task without these sensors sends its own. */
function observationFor(hello: Hello, task: AgentTask | undefined): ObservationMapping | undefined {
  if (task?.family !== "manipulation") return undefined;
  const state = stateOf(hello);
  const concat = state && STATES[state.format];
  const { observation_params: params, observation_spec: spec } = hello;
  const wrist = params.send_wrist_image === true || "wrist" in spec;
  return {
    images: { map: { agentview: "rgb_head", ...(wrist ? { wrist: "rgb_wrist" } : {}) } },
    task_description: "instruction.text",
    ...(concat ? { states: { concat } } : {}),
  };
}

function stateProblems(hello: Hello, task: AgentTask | undefined): string[] {
  if (task?.family !== "manipulation") return [];
  const state = stateOf(hello);
  if (!state || Object.hasOwn(STATES, state.format)) return [];
  const said = state.format === "raw" ? "has no declared format" : `is ${state.format}`;
  return [`the state that it requests ${said} (known: ${Object.keys(STATES).join(", ")})`];
}

function stateOf({ observation_spec: spec, observation_params: params }: Hello): Spec | undefined {
  const declared = spec.state ?? spec.states;
  if (declared) return declared;
  return params.send_state === true ? { dims: 0, format: "raw" } : undefined;
}
