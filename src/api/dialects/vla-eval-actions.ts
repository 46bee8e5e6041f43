import type { ActionMapping, RotationForm } from "../../config/mapping.js";
import type { AgentTask } from "../../core/interfaces/agent.js";

/** One declared part of a model server's actions or observations; `dims` of 0 means any size. */
export interface Spec {
  readonly dims: number;
  readonly format: string;
}

type Specs = Readonly<Record<string, Spec>>;

const ROTATION_FORMS: Readonly<Record<string, RotationForm>> = {
  axis_angle: "axis_angle",
  euler_xyz: "euler_xyz",
  quaternion_xyzw: "quat_xyzw",
  rot6d_interleaved: "rotation_6d_interleaved",
  rot6d_contiguous: "rotation_6d",
};

/** Meaning of each gripper format, for the error that asks for a mapping. */
const GRIPPERS: Readonly<Record<string, string>> = {
  binary_close_positive: "closes above 0",
  binary_close_negative: "closes below 0",
  binary_close_01: "closes above 0.5",
  continuous_01: "goes from 0 to 1 without saying which is open",
};

/** Lists how the declared actions differ from the task's, or from the benchmark's mapping. */
export function actionProblems(
  specs: Specs,
  params: Readonly<Record<string, unknown>>,
  task: AgentTask | undefined,
  mapping: ActionMapping | undefined,
): string[] {
  if (mapping) return mappingProblems(specs, mapping);
  if (!task) return [];
  const { control_mode: mode, action_dim: dim } = task.conventions;
  const total = totalDims(specs);
  const problems = Object.values(specs).flatMap((spec) => problemOf(spec, mode));
  if (total !== undefined && dim !== undefined && total !== dim) {
    problems.push(`its actions have ${total} numbers, the task's have ${dim}`);
  }
  if (params.absolute_action === true && task.conventions.action_kind === "delta") {
    problems.push("its actions are absolute, the task's are relative");
  }
  return problems;
}

function problemOf({ format }: Spec, mode: unknown): string[] {
  const gripper = GRIPPERS[format];
  if (gripper) return [`its gripper ${gripper} (${format}); the task's is declared otherwise`];
  if (format === "absolute_xyz")
    return ["its actions are absolute positions, the task's are displacements"];
  if (format === "delta_xyz" && mode !== "ee_delta_pose") {
    return [
      `its actions move the end effector (delta_xyz), but the task's control_mode is ${mode}`,
    ];
  }
  const rotation = ROTATION_FORMS[format];
  if (rotation && rotation !== "axis_angle") {
    return [`its rotations are ${format}, the task's are axis_angle`];
  }
  return [];
}

/** Finds rotations that the mapping reads in another form than declared, and indices beyond the declared size. */
function mappingProblems(specs: Specs, { parts = [] }: ActionMapping): string[] {
  const total = totalDims(specs);
  const declared = Object.values(specs).find(({ format }) => ROTATION_FORMS[format])?.format;
  return [
    ...unreadRotations(specs, parts),
    ...parts.flatMap(({ take, rotation }) => {
      const problems: string[] = [];
      if (total !== undefined && take && take[1] > total) {
        problems.push(`the mapping takes number ${take[1] - 1}, but its actions have ${total}`);
      }
      if (declared && rotation && ROTATION_FORMS[declared] !== rotation.from) {
        problems.push(
          `the mapping reads rotations as ${rotation.from}, but it declares ${declared}`,
        );
      }
      return problems;
    }),
  ];
}

/**
 * Rotations that the mapping passes on without reading them. Tasks take rotation vectors, so another form would be
 * executed as if it were one.
 */
function unreadRotations(specs: Specs, parts: NonNullable<ActionMapping["parts"]>): string[] {
  let at = 0;
  for (const { dims, format } of Object.values(specs)) {
    const [from, to] = [at, at + dims];
    at = to;
    const form = ROTATION_FORMS[format];
    if (form === undefined || form === "axis_angle") continue;
    // Without declared sizes, the place of the rotation is unknown.
    const overlaps = ({ take }: (typeof parts)[number]) =>
      !take || dims === 0 || (take[0] < to && take[1] > from);
    const isRead = parts.some((part) => part.rotation && overlaps(part));
    const isPassedOn = parts.length === 0 || parts.some((part) => !part.rotation && overlaps(part));
    if (isRead || !isPassedOn) continue;
    return [`its rotations are ${format}, and the mapping passes them on as axis_angle`];
  }
  return [];
}

/** Undefined if a part does not declare its size. */
function totalDims(specs: Specs): number | undefined {
  const dims = Object.values(specs).map((spec) => spec.dims);
  if (dims.length === 0 || dims.includes(0)) return undefined;
  return dims.reduce((sum, n) => sum + n, 0);
}
