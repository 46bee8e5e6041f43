// A policy that fails as it is told; fault_policy.py is its twin.
//
// It turns left twice and stops, and says on stdout what it is asked. `--do wait` answers when a line arrives on stdin.
import { once } from "node:events";
import { parseArgs } from "node:util";
import { connect, serve } from "robot-eval/policy";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    connect: { type: "string" },
    token: { type: "string" },
    // What goes wrong, and where: <episode>:<step>, both from 0.
    do: { type: "string", default: "nothing" },
    at: { type: "string", default: "0:0" },
    sensors: { type: "string" },
    conventions: { type: "string" },
  },
});

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
    if (options.do === "raise-reset" && options.at === `${this.episode}:0`) {
      throw new RangeError("the weights are gone");
    }
  }

  act() {
    const place = `${this.episode}:${this.step}`;
    say(`act ${place}`);
    this.step++;
    if (options.at === place) {
      if (options.do === "hang") return new Promise(() => {});
      if (options.do === "wait") return once(process.stdin, "data").then(() => this.answer());
      if (options.do === "raise") throw new TypeError("no such thing");
      if (options.do === "fly") return "fly";
      if (options.do === "return-nothing") return undefined;
    }
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
