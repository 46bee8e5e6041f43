import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { RemotePolicies } from "../../src/agents/remote/factory.js";
import type { EpisodeLine } from "../../src/core/interfaces/result.js";
import {
  createRegistries,
  type LoadedConfig,
  loadConfig,
  UnifiedRobotEvaluator,
} from "../../src/index.js";
import { deferred, stopClock, until } from "../support/clock.js";

// Messages as chapters 7.1 and 10.2 write them: `type` and `session_id`, and what the chapter's example has.
const MESSAGES: Readonly<Record<string, Message>> = JSON.parse(
  readFileSync(new URL("wire-messages.fixture.json", import.meta.url), "utf8"),
);

type Message = Readonly<Record<string, unknown>>;

/** A policy that knows the design only: it sends the recorded messages and ignores fields it does not know. */
class DesignClient {
  readonly received: Message[] = [];
  readonly #socket: WebSocket;
  isClosed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(JSON.parse(String(data))));
    socket.on("close", () => {
      this.isClosed = true;
    });
  }

  static async dial(url: string, connect = MESSAGES.connect): Promise<DesignClient> {
    const socket = new WebSocket(url);
    await once(socket, "open");
    onTestFinished(() => socket.terminate());
    const client = new DesignClient(socket);
    client.send(connect);
    return client;
  }

  send(message: Message | undefined): void {
    this.#socket.send(JSON.stringify(message));
  }

  of(type: string): Message[] {
    return this.received.filter((message) => message.type === type);
  }

  #receive(message: Message): void {
    this.received.push(message);
    if (message.type === "reset_episode") this.send(MESSAGES.episode_ready);
    if (message.type === "get_action") this.send(MESSAGES.action);
  }
}

/** Starts a run that waits for a policy to dial in; `url` resolves when it listens. */
function listen(config: LoadedConfig, task = "vln") {
  const registries = createRegistries();
  const address = deferred<string>();
  const reported: string[] = [];
  const report = (text: string) => {
    reported.push(text);
    const url = /ws:\S+\d/.exec(text)?.[0];
    if (url) address.resolve(url);
  };
  registries.agents.register("in", new RemotePolicies(report).listening);
  const lines: EpisodeLine[] = [];
  const run = new UnifiedRobotEvaluator(config, {
    ...{ registries, agent: "in:127.0.0.1:0", outDir: null, filter: `task=${task}`, first: 1 },

    onEvent: (event) => {
      if (event.type === "episode") lines.push(event.line);
    },
  }).run();
  run.catch(() => {});
  return { url: address.promise, run, lines, reported };
}

const STEPS = 2;
const SHORT = [`evaluation.max_steps=${STEPS}`];

function navigation(): LoadedConfig {
  const actions = "[stop, move_forward, turn_left, turn_right]";
  return loadConfig("vln_graph", { set: [...SHORT, `vln_task.config.actions=${actions}`] });
}

describe("a listening evaluator", () => {
  it("a listening evaluator runs a navigation episode with a client that sends connect without role, and uses the action name", async () => {
    const { url, run, lines } = listen(navigation());
    const client = await DesignClient.dial(await url);
    await run;
    expect(client.of("error")).toEqual([]);
    expect(client.of("connected")).toHaveLength(1);
    expect(client.of("get_action")).toHaveLength(STEPS);
    expect(lines).toMatchObject([{ outcome: "failure", steps: STEPS, end_reason: "max_steps" }]);
  });

  it("a listening evaluator runs a manipulation episode with an action that has name and qpos, and uses qpos", async () => {
    const { url, run, lines } = listen(
      loadConfig("manipulation_challenge", { set: SHORT }),
      "pick_place",
    );
    const client = await DesignClient.dial(await url);
    await run;
    expect(client.of("error")).toEqual([]);
    expect(client.of("get_action")).toHaveLength(STEPS);
    expect(lines).toMatchObject([{ outcome: "failure", steps: STEPS, end_reason: "max_steps" }]);
  });

  it("a listening evaluator answers a heartbeat that has no other field", async () => {
    const { url, run } = listen(navigation());
    const client = await DesignClient.dial(await url);
    client.send(MESSAGES.heartbeat);
    client.send(MESSAGES.bare_heartbeat);
    await until(() => client.of("heartbeat").length === 2);
    await run;
    expect(client.of("error")).toEqual([]);
    const answer = { type: "heartbeat", t: expect.any(Number), re: 0 };
    expect(client.of("heartbeat")).toMatchObject([
      { ...answer, session_id: "uuid-xxx" },
      { ...answer, session_id: "" },
    ]);
  });

  it("a listening evaluator stops waiting at policy.connect_timeout after it refused a client, and gives the reason", async () => {
    stopClock();
    const set = ["policy.connect_timeout=6"];
    const { url, run, reported } = listen(loadConfig("vln_graph", { set }));
    const wrong = { ...MESSAGES.connect, role: "evaluator" };
    const client = await DesignClient.dial(await url, wrong);
    await until(() => client.isClosed);
    expect(client.of("error")).toMatchObject([{ code: "bad_role", fatal: true }]);
    const why = "expected the role agent, received evaluator";
    expect(reported.at(-1)).toContain(`rejected a client that dialled in: ${why}`);
    vi.advanceTimersByTime(6000);
    await expect(run).rejects.toMatchObject({
      code: "no_policy",
      message: `no policy dialled in within 6 s; the last client was rejected: ${why}`,
    });
  });
});
