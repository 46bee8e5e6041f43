// A task with its own success rule: push an object into a zone of the table without picking it up. The rule is
// a preset of built-in predicates and of one that the plugin adds.
import { atLeast, ManipulationTask, z } from "robot-eval";

/** Horizontal distance of an object from its start. A predicate is a pure function of the facts. */
const slid = {
  name: "slid",
  summary:
    "the centre of `object` is `distance_m` (0.1 m) or more from its start, measured horizontally",
  params: z.strictObject({
    object: z.string(),
    distance_m: z.number().nonnegative().default(0.1),
  }),
  needs: ({ object }) => [{ object, aspect: "pose" }],
  measure: ({ object, distance_m }, { now, first }) => {
    const [x, y] = now.pose(object).position;
    const [startX, startY] = first.pose(object).position;
    return atLeast(Math.hypot(x - startX, y - startY), distance_m);
  },
};

/** `success_criteria: {type: pushed_into_zone, zone_tolerance: 0.02}`, with the zone in the episode's goals. */
const pushedIntoZone = {
  summary: "an object was pushed into a zone, was never lifted, and rests there",
  stages: ["touched", "moved", "in_zone"],
  criteria({ target_object, zone, success_criteria }) {
    const object = target_object.name;
    const within_m = success_criteria?.zone_tolerance ?? 0.02;
    const inZone = { in: { name: "in_zone", object, region: zone, within_m } };
    const lifted = { once: { lifted: { object, height_m: 0.03 } } };
    return {
      target: object,
      success: {
        hold: {
          steps: 5,
          rule: { all: [{ slid: { object } }, inZone, { at_rest: { object } }, { not: lifted }] },
        },
      },
      stages: {
        touched: { not: { released: { object } } },
        moved: { slid: { object, distance_m: 0.02 } },
        in_zone: inZone,
      },
    };
  },
};

class PushTask extends ManipulationTask {
  get taskType() {
    return "push";
  }

  get taskName() {
    return "Push into a Zone";
  }

  get ownPreset() {
    return "pushed_into_zone";
  }
}

/** Joint positions of Stretch with the closed gripper just above the table; the arm has index 4. */
const START = [0, 0, 0, 0.62, 0.1, 0, 0];
const ARM = 4;

/** Extends the arm by 6 mm per step, then retracts it. */
const pusher = {
  description: "pushes straight ahead with a closed gripper, for the example",
  create: () => {
    let step = 0;
    return {
      reset() {
        step = 0;
      },
      act() {
        step++;
        const arm = step > 60 ? 0.1 : Math.min(0.1 + 0.006 * step, 0.34);
        return START.map((value, dof) => (dof === ARM ? arm : value));
      },
    };
  },
};

export default function register({ tasks, predicates, presets, agents }) {
  predicates.register("slid", slid);
  presets.register("pushed_into_zone", pushedIntoZone);
  tasks.register("push", "Push into a Zone")(PushTask);
  agents.register("pusher", pusher);
}
