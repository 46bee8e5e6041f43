// A policy that fails as its arguments say; fault_policy.py is the same in Python.
//
// It turns left twice, then stops, and prints each request. The fault `wait` answers when a line arrives on stdin.
import { once } from "node:events";
import { parseArgs } from "node:util";
import { connect, serve } from "robot-eval/policy";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    connect: { type: "string" },
    token: { type: "string" },
    // Comma-separated <fault>@<episode>:<step>, both numbers from 0.
    fail: { type: "string", default: "" },
    sensors: { type: "string" },
    conventions: { type: "string" },
  },
});

/** The fault at each `<episode>:<step>`. */
const faults = new Map(options.fail.split(",").map((fault) => fault.split("@").reverse()));

const say = (text) => process.stdout.write(`${text}\n`);

class FaultPolicy {
  sensors = options.sensors?.split(",");
  conventions = options.conventions ? JSON.parse(options.conventions) : undefined;
  episode = -1;
  step = 0;

  reset() {
    this.episode++;
    this.step = 0;
    say(`reset ${this.episode}`);
    if (faults.get(`${this.episode}:0`) === "raise-reset") {
      throw new RangeError("the weights are gone");
    }
  }

  act() {
    const place = `${this.episode}:${this.step}`;
    say(`act ${place}`);
    this.step++;
    const fault = faults.get(place);
    if (fault === "hang") return new Promise(() => {});
    if (fault === "wait") return once(process.stdin, "data").then(() => this.answer());
    if (fault === "raise") throw new TypeError("no such thing");
    if (fault === "fly") return "fly";
    if (fault === "return-nothing") return undefined;
    return this.answer();
  }

  answer() {
    return this.step < 3 ? "turn_left" : "stop";
  }
}

const { token } = options;
if (options.connect) {
  const client = await connect(new FaultPolicy(), options.connect, { token });
  await client.closed;
} else {
  const server = await serve(new FaultPolicy(), { port: Number(options.port), token });
  say(`listens at ${server.url}`);
}
