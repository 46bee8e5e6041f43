import { isUtf8 } from "node:buffer";
import { connect as connectTcp } from "node:net";
import { onTestFinished } from "vitest";
import { frameValue } from "../../src/api/codec/frame.js";
import type { Message, MessageType } from "../../src/api/messages/base.js";
import { readMessage } from "../../src/api/messages/read.js";
import { connect } from "../../src/api/policy/connect.js";
import type { Policy } from "../../src/api/policy/policy.js";
import { serve } from "../../src/api/policy/serve.js";
import { anEpisode } from "../../src/api/session/episode.fixture.js";
import { listeningPool, poolOf } from "../../src/api/session/pool.fixture.js";
import type { SessionPool } from "../../src/api/session/pool.js";
import { ActionSpace } from "../../src/core/task/types.js";
import type { FuzzFrame } from "./fuzz.js";
import { dialHostile, type Fate } from "./fuzz-prober.js";
import { RawSocket, upgradeRequest } from "./fuzz-raw.js";
import { CAPABILITIES, type FuzzWay, HostileServer } from "./hostile-server.js";

/** A component under test that a hostile peer attacks over its connections. */
export interface FuzzTarget extends FuzzWay {
  fate(frame: FuzzFrame, isOpen: boolean): Fate;
  /** Plays a short episode with a well-behaved peer. */
  play(): Promise<void>;
}

const STEPS = 4;
const OF_EVALUATOR: readonly MessageType[] = [
  ...(["connect", "reset_episode", "get_action", "episode_end", "disconnect"] as const),
];
const OF_POLICY: readonly MessageType[] = ["connect", "disconnect"];

/** The evaluator in the mode where policies connect to it. */
export async function listeningEvaluator(): Promise<FuzzTarget> {
  const { pool, url } = await listeningPool({ reconnect_grace: 0.05, connect_timeout: 20 });
  const asked = keepAsking(pool);
  const hello = { type: "connect", role: "agent", protocol_version: "1.0" };
  return {
    ...dialledFrom(url, OF_EVALUATOR, { ...hello, capabilities: CAPABILITIES }),
    fate: fateBy((message, isOpen) => {
      if (isOpen) return fateAtEvaluator(message);
      return message.type === "connect" ? "answered" : "ended";
    }),
    async play() {
      const before = asked.actions;
      const client = await connect(FuzzPolicy, url);
      await until(() => asked.actions >= before + STEPS);
      await client.close();
    },
  };
}

/** The evaluator in the mode where it connects to a policy. */
export async function diallingEvaluator(): Promise<FuzzTarget> {
  const server = await HostileServer.listen(OF_EVALUATOR);
  const asked = keepAsking(
    await poolOf([server.url], { reconnect_grace: 20, connect_timeout: 20 }),
  );
  return {
    ...server.way(),
    fate: fateBy((message, isOpen) => {
      if (isOpen) return fateAtEvaluator(message);
      return message.type === "connected" ? "survived" : "ended";
    }),
    async play() {
      const before = asked.actions;
      const { prober, sessionId } = await server.welcome();
      const answer = async (to: MessageType, type: MessageType, more = {}) => {
        const seq = (await prober.next(to))?.seq;
        prober.say({ type, session_id: sessionId, seq, ...more });
      };
      await answer("reset_episode", "episode_ready");
      for (let i = 0; i < STEPS; i++) {
        await answer("get_action", "action", { action: "move_forward" });
      }
      await until(() => asked.actions >= before + STEPS);
      await prober.close();
    },
  };
}

/** A policy server. */
export async function servedPolicy(): Promise<FuzzTarget> {
  const server = await serve(FuzzPolicy, { port: 0 });
  onTestFinished(() => server.close());
  return policyAt(server.url);
}

/** Message types without an answer when valid; the Python SDK accepts more of them than the TypeScript one. */
const UNANSWERED: readonly unknown[] = ["error", "episode_end", "heartbeat"];

/** A policy server of the Python SDK. */
export function pythonPolicyAt(url: string): FuzzTarget {
  return {
    ...policyAt(url),
    fate: ({ data, isBinary }) => {
      if (!isBinary && !isUtf8(data)) return "ended";
      try {
        const value = frameValue(data, isBinary);
        const type = typeof value === "object" && value && "type" in value ? value.type : undefined;
        return UNANSWERED.includes(type) ? "survived" : "answered";
      } catch {
        return "answered";
      }
    },
  };
}

function policyAt(url: string): FuzzTarget {
  const hello = { type: "connect", role: "evaluator", protocol_version: "1.0" };
  return {
    ...dialledFrom(url, OF_POLICY, { ...hello, capabilities: CAPABILITIES }),
    fate: fateBy((message, isOpen) => {
      if (isOpen) return fateAtPolicy(message);
      return message.type === "connect" ? "answered" : "refused";
    }),
    async play() {
      const pool = await poolOf([url]);
      const session = await pool.take();
      const actions = ["stop", "move_forward", "turn_left"];
      const actionSpace = new ActionSpace({ name: "discrete", actions });
      await session.begin(anEpisode({ actionSpace }));
      for (let step = 0; step < STEPS; step++) {
        await session.send({ gps: [1, 2] }, step);
        await session.receive();
      }
      session.end({ episodeId: "1", reason: "stop", steps: STEPS });
      await pool.close();
    },
  };
}

/** A policy that connects to an evaluator and reconnects after being disconnected. */
export async function diallingPolicy(): Promise<FuzzTarget> {
  const server = await HostileServer.listen(OF_POLICY);
  let over = false;
  const coming = async () => {
    while (!over) {
      try {
        const client = await connect(new BatchPolicy(), server.url, { grace: 5 });
        onOver = () => void client.close();
        await client.closed;
      } catch {
        // The peer's message ended the connection; reconnect.
      }
    }
  };
  let onOver = () => {};
  const gone = coming();
  onTestFinished(async () => {
    over = true;
    onOver();
    await server.close();
    await gone;
  });
  return {
    ...server.way(),
    fate: fateBy((message, isOpen) => {
      if (!isOpen && message.type !== "heartbeat") {
        return message.type === "connected" ? "survived" : "ended";
      }
      const isFatal = message.type === "error" && message.fatal;
      return isFatal ? "ended" : fateAtPolicy(message);
    }),
    async play() {
      const { prober, sessionId } = await server.welcome();
      const ask = async (type: MessageType, answer: MessageType, seq: number, more: object) => {
        prober.say({ type, session_id: sessionId, seq, ...more });
        const received = await prober.next(answer);
        if (received?.seq !== seq)
          throw new Error(`expected ${answer} ${seq}, got ${JSON.stringify(received)}`);
      };
      const episode = { episode_id: "1", task_type: "vln", scene_id: "s" };
      await ask("reset_episode", "episode_ready", 1, { episode });
      for (let step = 0; step < STEPS; step++) {
        const looking = { task_type: "vln", observation: { gps: [1, 2] }, step };
        await ask("get_action", "action", 2 + step, looking);
      }
      prober.say({ type: "disconnect", session_id: sessionId });
      await prober.close();
    },
  };
}

class FuzzPolicy implements Policy {
  act(): string {
    return "move_forward";
  }
}

class BatchPolicy extends FuzzPolicy {
  actBatch(observations: readonly unknown[]): string[] {
    return observations.map(() => this.act());
  }
}

/** Requests actions from connected policies like a run, and accepts any result. */
function keepAsking(pool: SessionPool): { readonly actions: number } {
  const asked = { actions: 0 };
  let over = false;
  onTestFinished(() => {
    over = true;
  });
  void (async () => {
    while (!over) {
      const session = await pool.take().catch(() => undefined);
      try {
        await session?.begin(anEpisode());
        for (let step = 0; session && step < 50; step++) {
          await session.send({ gps: [1, 2] }, step);
          await session.receive();
          asked.actions++;
        }
      } catch {
        // A policy error fails the episode only.
      }
      session?.close();
      // Yield to other tasks even if every request fails immediately.
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return asked;
}

function fateBy(judge: (message: Message, isOpen: boolean) => Fate): FuzzTarget["fate"] {
  return ({ data, isBinary }, isOpen) => {
    if (!isBinary && !isUtf8(data)) return "ended";
    let message: Message;
    try {
      message = readMessage(frameValue(data, isBinary));
    } catch {
      return "refused";
    }
    if (message.type === "heartbeat") return message.re === undefined ? "answered" : "ignored";
    return judge(message, isOpen);
  };
}

function fateAtEvaluator(message: Message): Fate {
  switch (message.type) {
    case "action":
    case "episode_ready":
      return "ignored";
    case "error":
      return message.fatal ? "ended" : "ignored";
    case "disconnect":
      return "ended";
    default:
      return "refused";
  }
}

function fateAtPolicy(message: Message): Fate {
  switch (message.type) {
    case "reset_episode":
    case "get_action":
      return "answered";
    case "episode_end":
    case "error":
      return "ignored";
    case "disconnect":
      return "ended";
    default:
      return "refused";
  }
}

function dialledFrom(url: string, initiative: readonly MessageType[], hello: object): FuzzWay {
  const early = () => dialHostile(url, initiative);
  return {
    isServer: true,
    early,
    async open() {
      const prober = await early();
      prober.say({ ...hello });
      const connected = await prober.next("connected");
      if (!connected) throw new Error("a valid `connect` was rejected");
      return { prober, sessionId: String(connected.session_id) };
    },
    async raw({ isUpgraded }) {
      const socket = connectTcp(Number(new URL(url).port), "127.0.0.1");
      if (isUpgraded) socket.write(upgradeRequest());
      return new RawSocket(socket);
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 20_000; i++) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error("the target did not serve a well-behaved peer in time");
}
