// An agent for the crane: it computes swivel and boom positions, and switches between them after fixed numbers of steps.

/** The swivel and boom positions that bring the claw above a point. */
const over = ([x, y]) => [Math.atan2(y, x), Math.hypot(x, y) - 0.4];

/** The crate's position in the scene file, for episodes that do not set it. */
const CRATE = [0.55, -0.2];
const [DOWN, UP, CLOSED, OPEN] = [0.27, 0.05, -0.06, 0];

class Driver {
  #plan = [];
  #step = 0;

  reset({ episode }) {
    const [object] = episode.task_config?.scene_objects ?? [];
    const from = over(object?.position ?? CRATE);
    const to = over(episode.goals.target_location.position);
    this.#step = 0;
    this.#plan = [
      { steps: 60, action: [...from, 0, OPEN] },
      { steps: 50, action: [...from, DOWN, OPEN] },
      { steps: 25, action: [...from, DOWN, CLOSED] },
      { steps: 50, action: [...from, UP, CLOSED] },
      { steps: 90, action: [...to, UP, CLOSED] },
      { steps: 60, action: [...to, DOWN, CLOSED] },
      { steps: 40, action: [...to, DOWN, OPEN] },
    ];
  }

  act() {
    let left = this.#step++;
    for (const { steps, action } of this.#plan) {
      if (left < steps) return action;
      left -= steps;
    }
    return "stop";
  }
}

export default ({ agents }) => {
  agents.register("driver", {
    description: "drives the crane with a fixed motion plan",
    create: () => new Driver(),
  });
};
