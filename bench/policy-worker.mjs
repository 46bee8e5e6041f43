// Policies for protocol.mjs, served by the TypeScript SDK in a process of their own; the port is printed.
import { serve } from "../dist/api/policy/index.js";

const [kind, argument] = process.argv.slice(2);
const zeros = new Array(7).fill(0);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const policies = {
  zeros: () => serve(() => ({ act: () => zeros }), { port: 0, encodings: [argument] }),
  batch: () =>
    serve(
      {
        act: () => zeros,
        // Every batch costs the same, however many observations are in it: as on a GPU that is not full.
        actBatch: async (observations) => {
          await sleep(Number(argument));
          return observations.map(() => zeros);
        },
      },
      { port: 0, sessions: 64 },
    ),
};
const server = await policies[kind]();
console.log(new URL(server.url).port);
