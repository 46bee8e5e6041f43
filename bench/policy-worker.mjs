// Policies for protocol.mjs, served by the TypeScript SDK in their own process; prints the port.
import { WebSocketServer } from "ws";
import { raiseFreeThreshold } from "../build/api/codec/frame-pool.js";
import { serve } from "../build/api/policy/index.js";

const [kind, argument] = process.argv.slice(2);
const zeros = new Array(7).fill(0);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const policies = {
  zeros: () => serve(() => ({ act: () => zeros }), { port: 0, encodings: [argument] }),
  batch: () =>
    serve(
      {
        act: () => zeros,
        // A batch takes the same time at any size, like on a GPU that is not saturated.
        actBatch: async (observations) => {
          await sleep(Number(argument));
          return observations.map(() => zeros);
        },
      },
      { port: 0, sessions: 64 },
    ),
};
if (kind === "echo") {
  // The bound: frames that are not decoded, with the same memory settings as ours.
  raiseFreeThreshold(2 ** 21);
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  server.on("connection", (socket) => socket.on("message", () => socket.send("seen")));
  server.on("listening", () => console.log(server.address().port));
} else {
  const server = await policies[kind]();
  console.log(new URL(server.url).port);
}
