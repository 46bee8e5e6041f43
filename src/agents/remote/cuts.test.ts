import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { evaluate, tinyWorld } from "../../../test/support/tiny-world.js";
import { frameValue } from "../../api/codec/frame.js";
import { MESSAGE_TYPES, type MessageType } from "../../api/messages/base.js";
import { connect, serve } from "../../api/policy/index.js";
import { createRegistries } from "../../registry/registries.js";
import { RemotePolicies } from "./factory.js";

/** Whether the message at which the connection is cut still arrives. */
type Loss = "lost" | "delivered";

interface Cut {
  readonly type: MessageType;
  readonly loss: Loss;
}

/** Occurrences of a message at which the connection is cut: the first, and one after others. */
const AT = [1, 3];

/** Proxies whole messages between a dialling and a listening peer, and cuts the connection at one message type. */
class CuttingProxy {
  cuts = 0;
  readonly #server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  readonly #cut: Cut | undefined;
  #seen = 0;
  #sentHeartbeat = false;

  private constructor(url: string, cut: Cut | undefined) {
    this.#cut = cut;
    this.#server.on("connection", (near) => {
      const far = new WebSocket(url, { perMessageDeflate: false });
      const isOpen = once(far, "open");
      isOpen.catch(() => near.terminate());
      this.#join(near, far, isOpen);
      this.#join(far, near, isOpen);
    });
  }

  static async to(url: string, cut: Cut | undefined): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(url, cut);
    await once(proxy.#server, "listening");
    onTestFinished(() => {
      for (const client of proxy.#server.clients) client.terminate();
      proxy.#server.close();
    });
    return proxy;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #join(from: WebSocket, to: WebSocket, isOpen: Promise<unknown>): void {
    from.on("error", () => {});
    from.on("close", () => to.terminate());
    from.on("message", async (data: Buffer, isBinary) => {
      await isOpen.catch(() => {});
      const { type, session_id } = frameValue(data, isBinary) as Readonly<Record<string, unknown>>;
      const isCut = type === this.#cut?.type && AT.includes(++this.#seen);
      if (isCut) {
        this.cuts++;
        if (this.#cut?.loss === "lost") from.terminate();
        else to.send(data, { binary: isBinary }, () => from.terminate());
        return;
      }
      to.send(data, { binary: isBinary });
      if (type !== "action" || this.#sentHeartbeat) return;
      // Neither peer sends heartbeats by itself, because both use pings. Both must answer them.
      this.#sentHeartbeat = true;
      for (const end of [from, to]) {
        end.send(JSON.stringify({ type: "heartbeat", session_id, t: 1 }));
      }
    });
  }
}

/** Records everything it receives, to show lost and repeated messages. */
class RecordingPolicy {
  #memory = 0;
  #episodes = 0;

  reset({ fields }: { readonly fields: unknown }): void {
    this.#memory = 0;
    this.#episodes++;
    this.#remember(fields);
  }

  act(observation: unknown, { step }: { readonly step: number }): string {
    if (this.#episodes === 2 && step === 1) throw new Error("the second is too hard");
    this.#remember(observation);
    if (step === 5) return "stop";
    return ["turn_left", "turn_right", "move_forward"][this.#memory % 3] ?? "stop";
  }

  #remember(seen: unknown): void {
    for (const letter of JSON.stringify(seen)) {
      this.#memory = (this.#memory * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
    }
  }
}

const WAYS = {
  async "the policy listens"(cut: Cut | undefined) {
    const server = await serve(new RecordingPolicy(), { port: 0 });
    onTestFinished(() => server.close());
    const proxy = await CuttingProxy.to(server.url, cut);
    return { proxy, run: await evaluate(world(), proxy.url) };
  },

  async "the evaluator listens"(cut: Cut | undefined) {
    const registries = createRegistries();
    let proxy: CuttingProxy | undefined;
    const policies = new RemotePolicies(async (text) => {
      const url = /ws:\S+\d/.exec(text)?.[0];
      if (url === undefined) return;
      proxy = await CuttingProxy.to(url, cut);
      await connect(new RecordingPolicy(), proxy.url);
    });
    registries.agents.register("in", policies.listening);
    return { run: await evaluate(world(), "in:0", { registries }), proxy };
  },
};

function world() {
  const policy = { connect_timeout: 10, reconnect_grace: 10, cold_start_timeout: 10 };
  return tinyWorld({ sections: { policy } });
}

async function played(way: keyof typeof WAYS, cut?: Cut) {
  const { proxy, run } = await WAYS[way](cut);
  const courses = run.lines.map(
    ({ episode_key, outcome, fault, end_reason, steps, final_state_hash }) => ({
      ...{ episode_key, outcome, fault, end_reason, steps, final_state_hash },
    }),
  );
  return { cuts: proxy?.cuts, courses };
}

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
  "a connection that is cut while %s",
  (way) => {
    const cases = MESSAGE_TYPES.flatMap((type) =>
      (["lost", "delivered"] as const).map((loss) => ({ type, loss })),
    );

    let uncut: ReturnType<typeof played> | undefined;

    it.each(cases)(
      "a connection that is cut loses nothing when cut at $type, which is $loss",
      async (cut) => {
        uncut ??= played(way);
        const { courses: expected } = await uncut;
        expect(expected.map(({ fault, steps }) => [fault, steps])).toEqual([
          [undefined, 6],
          ["agent", 1],
          [undefined, 6],
          [undefined, 6],
        ]);
        const { cuts, courses } = await played(way, cut);
        expect(cuts).toBeGreaterThan(0);
        expect(courses).toEqual(expected);
      },
    );
  },
);
