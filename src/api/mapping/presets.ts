import type {
  ActionMapping,
  ConcatEntry,
  MappingPreset,
  ObservationMapping,
} from "../../config/mapping.js";

/** Mapping for the policies of one well-known training set, from tasks of one control mode. */
interface Preset {
  /** Observation mapping by dialect; each dialect has its own keys. */
  readonly observation: Readonly<Record<string, ObservationMapping>>;
  readonly action: ActionMapping;
  /** Control mode that the task must have for the actions to be valid. */
  readonly controlMode: string;
  readonly actionDim: number;
}

const EE_STATE = [
  { from: "ee_pose", take: [0, 3] },
  { from: "ee_pose", take: [3, 7], rotation: { from: "quat_wxyz", to: "axis_angle" } },
  // Positions of the two fingers of robosuite's Panda in metres from the centre; one is negative.
  { from: "gripper_state", range: { from: [0, 1], to: [0, 0.04] } },
  { from: "gripper_state", range: { from: [0, 1], to: [0, -0.04] } },
] satisfies ConcatEntry["concat"];

/** The same numbers from LIBERO's own observations, as openpi's client computes them. */
const LIBERO_STATE = [
  { from: "robot0_eef_pos" },
  { from: "robot0_eef_quat", rotation: { from: "quat_xyzw", to: "axis_angle_full" } },
  { from: "robot0_gripper_qpos" },
] satisfies ConcatEntry["concat"];

/** What policies trained on LIBERO receive, by dialect. */
function liberoObservation(
  head: string,
  wrist: string,
  state: ConcatEntry["concat"],
): Preset["observation"] {
  return {
    openpi: {
      "observation/image": { from: head, resize: [224, 224] },
      "observation/wrist_image": { from: wrist, resize: [224, 224] },
      "observation/state": { concat: state },
      prompt: "instruction.text",
    },
    "vla-eval": {
      images: {
        map: {
          agentview: { from: head, resize: [256, 256] },
          wrist: { from: wrist, resize: [256, 256] },
        },
      },
      task_description: "instruction.text",
      states: { concat: state },
    },
  };
}

export const PRESETS: Readonly<Record<MappingPreset, readonly [Preset, ...Preset[]]>> = {
  libero: [
    {
      observation: liberoObservation("rgb_head", "rgb_wrist", EE_STATE),
      // robosuite's OSC_POSE: 1 is 5 cm and 0.5 rad; a gripper of -1 opens, 1 closes.
      action: {
        parts: [
          { take: [0, 3], scale: 0.05 },
          { take: [3, 6], scale: 0.5 },
          { take: [6, 7], switch: { at: 0, below: 1, above: 0 } },
        ],
      },
      controlMode: "ee_delta_pose",
      actionDim: 7,
    },
    {
      observation: liberoObservation("agentview_image", "robot0_eye_in_hand_image", LIBERO_STATE),
      action: { parts: [{ take: [0, 7] }] },
      controlMode: "osc_pose",
      actionDim: 7,
    },
  ],
  droid: [
    {
      observation: {
        openpi: {
          "observation/exterior_image_1_left": { from: "rgb_head", resize: [224, 224] },
          "observation/wrist_image_left": { from: "rgb_wrist", resize: [224, 224] },
          "observation/joint_position": { from: "qpos", take: [0, 7] },
          // DROID measures how far the gripper is closed, ours how far it is open.
          "observation/gripper_position": {
            from: "gripper_state",
            range: { from: [0, 1], to: [1, 0] },
          },
          prompt: "instruction.text",
        },
      },
      // Joint velocities: 1 is 0.2 rad in one of DROID's steps of 1/15 s. The gripper closes above 0.5; a change larger
      // than its range moves its target to the end.
      action: {
        parts: [
          { take: [0, 7], scale: 0.2, clip: [-0.2, 0.2] },
          { take: [7, 8], switch: { at: 0.5, below: 1, above: -1 } },
        ],
      },
      controlMode: "joint_delta",
      actionDim: 8,
    },
  ],
};
