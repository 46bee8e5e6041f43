// A minimal policy: it moves forward until an obstacle is near, then turns.
//
//   node examples/policy/forward-policy.js
//   robot-eval run <benchmark> --agent ws://127.0.0.1:8000
import { serve } from "robot-eval/policy";

/** The distance in metres at which it turns. */
const NEAR = 0.6;

class ForwardPolicy {
  // Only this is rendered and sent.
  sensors = ["depth"];
  conventions = { action_space: "discrete", depth_unit: "m", image_origin: "top_left" };

  reset(episode) {
    console.log(`${episode.episodeId}: ${episode.instruction || episode.taskType}`);
  }

  act({ depth }, { step }) {
    if (step >= 100) return "stop";
    const { width, height, data } = depth;
    const ahead = data[Math.floor(height / 2) * width + Math.floor(width / 2)];
    // 0 means that nothing is within the sensor's range.
    return ahead > 0 && ahead < NEAR ? "turn_left" : "move_forward";
  }
}

// A class, not an object: each concurrent episode gets its own policy object.
const server = await serve(ForwardPolicy, { port: 8000 });
console.log(`serving at ${server.url}`);
