import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { packMsgpack } from "../../api/codec/msgpack.js";
import { type FakeServer, fakeServer, openpiLike } from "../../api/dialects/server.fixture.js";
import type { Agent, AgentEpisode } from "../../core/interfaces/agent.js";
import { ActionSpace } from "../../core/task/types.js";
import { dialectAgentFactories } from "./factories.js";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of open.splice(0).reverse()) await stop();
});

const episode: AgentEpisode = {
  taskType: "pick_place",
  episodeId: "0",
  sceneId: "s",
  episodeKey: "0",
  episode: {},
  actionSpace: new ActionSpace({ name: "continuous", shape: [1] }),
  seed: 0,
};

async function serverOf(meet: Parameters<typeof fakeServer>[0]): Promise<FakeServer> {
  const server = await fakeServer(meet);
  open.push(() => server.stop());
  return server;
}

async function agentAt(
  { url }: Pick<FakeServer, "url">,
  policy: Record<string, unknown> = {},
  scheme = "openpi+ws",
): Promise<Agent> {
  const factory = new Map(dialectAgentFactories).get(scheme);
  if (!factory) throw new Error(`no ${scheme}`);
  const argument = url.replace(/^ws/, scheme);
  const agent = await factory.create({ argument, policy: { connect_timeout: 5, ...policy } });
  open.push(() => agent.close?.());
  return agent;
}

/** Counts its requests: the n-th chunk is [[10n], [10n + 1], [10n + 2]]. */
function counting(): Parameters<typeof fakeServer>[0] {
  let asked = 0;
  return openpiLike({}, () => {
    asked++;
    return { actions: [[10 * asked], [10 * asked + 1], [10 * asked + 2]] };
  });
}

async function actions(agent: Agent, count: number): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let i = 0; i < count; i++) all.push(await agent.act({}));
  return all;
}

describe("chunk of actions", () => {
  it("a chunk of actions is executed to its end before the policy is asked again", async () => {
    const agent = await agentAt(await serverOf(counting()));
    await agent.reset(episode);
    expect(agent.prepared).toBe(false);
    expect(await actions(agent, 2)).toEqual([[10], [11]]);
    expect(agent.prepared).toBe(true);
    expect(await actions(agent, 3)).toEqual([[12], [20], [21]]);
  });

  it("a chunk of actions is executed up to policy.execute", async () => {
    const agent = await agentAt(await serverOf(counting()), { execute: 2 });
    await agent.reset(episode);
    expect(await actions(agent, 3)).toEqual([[10], [11], [20]]);
  });

  it("a chunk of actions is not carried into the next episode", async () => {
    const agent = await agentAt(await serverOf(counting()));
    await agent.reset(episode);
    await agent.act({});
    await agent.reset(episode);
    expect(agent.prepared).toBe(false);
    expect(await agent.act({})).toEqual([20]);
  });
});

describe("DialectAgent", () => {
  it("DialectAgent reports an unreachable policy before the run", async () => {
    const server = await fakeServer(() => {});
    await server.stop();
    await expect(agentAt(server, { connect_timeout: 0.2 })).rejects.toThrow("connection refused");
  });

  it("DialectAgent sends the key in the header that clients of the dialect use", async () => {
    const server = await serverOf(counting());
    vi.stubEnv("ROBOT_EVAL_POLICY_TOKEN", "secret");
    onTestFinished(() => void vi.unstubAllEnvs());
    await agentAt(server);
    expect(server.headers[0]?.authorization).toBe("Api-Key secret");
  });

  it("DialectAgent fails the episode when the policy dies, and dials again for the next", async () => {
    const server = await serverOf((socket) => {
      openpiLike({}, ({ prompt }) => {
        if (prompt === "die") socket.terminate();
        return { actions: [1] };
      })(socket);
    });
    const agent = await agentAt(server);
    await agent.reset(episode);
    await expect(async () => agent.act({ instruction: { text: "die" } })).rejects.toThrow(
      "it broke",
    );
    await agent.end?.({ episodeId: "0", reason: "agent_error", steps: 0 });
    await agent.reset(episode);
    expect(await agent.act({})).toEqual([1]);
    expect(server.headers).toHaveLength(2);
  });

  it("DialectAgent reports a policy that does not return as gone, and dials it only shortly after that", async () => {
    const server = await serverOf((socket) => {
      openpiLike({}, () => {
        void server.stop();
        return undefined;
      })(socket);
    });
    const agent = await agentAt(server, { connect_timeout: 0.1 });
    await agent.reset(episode);
    await expect(async () => agent.act({})).rejects.toThrow();
    for (let i = 0; i < 2; i++) {
      await expect(async () => agent.reset(episode)).rejects.toMatchObject({
        code: "policy_unreachable",
      });
    }
  });

  it("DialectAgent quotes the last line of the traceback of a policy", async () => {
    const traceback = 'Traceback (most recent call last):\n  File "x"\nValueError: bad shape\n';
    const agent = await agentAt(await serverOf(openpiLike({}, () => traceback)));
    await agent.reset(episode);
    await expect(async () => agent.act({})).rejects.toThrow(
      "the policy failed: ValueError: bad shape",
    );
  });

  it("DialectAgent closes the connection of a slow policy, with a longer timeout for the first action", async () => {
    let asked = 0;
    const server = await serverOf(
      openpiLike({}, () => (++asked === 1 ? { actions: [1] } : undefined)),
    );
    const agent = await agentAt(server, { cold_start_timeout: 30, action_timeout: 0.05 });
    await agent.reset(episode);
    expect(await agent.act({})).toEqual([1]);
    await expect(async () => agent.act({})).rejects.toThrow(
      "no action from the policy within 0.05",
    );
    await agent.reset(episode);
    expect(server.headers).toHaveLength(2);
  });

  it("DialectAgent fails the episode when the policy sends an invalid message, and continues with the next", async () => {
    let asked = 0;
    const server = await serverOf((socket) => {
      socket.send(Uint8Array.of(0x80));
      socket.on("message", () => {
        const frames = [Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), Uint8Array.of(0x07)];
        socket.send(frames[asked++] ?? packMsgpack({ actions: [3] }));
      });
    });
    const agent = await agentAt(server);
    for (const text of ["more values than it has bytes", "a map was expected"]) {
      await agent.reset(episode);
      await expect(async () => agent.act({})).rejects.toThrow(text);
    }
    await agent.reset(episode);
    expect(await agent.act({})).toEqual([3]);
  });

  it("DialectAgent closes the connection of a policy that sends messages without end", async () => {
    const server = await serverOf((socket) => {
      socket.send(packMsgpack({}));
      for (let i = 0; i < 500; i++) socket.send("and another thing");
    });
    const use = async () => {
      const agent = await agentAt(server);
      await agent.reset(episode);
      await agent.act({});
    };
    // The limit may be reached before or after the first frame is read.
    await expect(use()).rejects.toThrow(
      /more frames than were requested|failed: and another thing/,
    );
    await expect.poll(() => server.connections()).toBe(0);
  });

  it("DialectAgent reports the keys of a reply that has no action under the expected key", async () => {
    const meet = openpiLike({}, () => ({ act: [1], server_timing: {} }));
    const agent = await agentAt(await serverOf(meet));
    await agent.reset(episode);
    await expect(async () => agent.act({})).rejects.toThrow(
      "the policy's reply has no actions; it has act, server_timing",
    );
    const other = await agentAt(await serverOf(meet), { mapping: { action: { from: "act" } } });
    await other.reset(episode);
    expect(await other.act({})).toEqual([1]);
  });

  it("DialectAgent sends BEHAVIOR an episode start that has no reply", async () => {
    const requests: object[] = [];
    const server = await serverOf(
      openpiLike({}, (request) => {
        requests.push(request);
        return "reset" in request ? undefined : { action: [7] };
      }),
    );
    const agent = await agentAt(server, {}, "behavior+ws");
    await agent.reset(episode);
    expect(await agent.act({ qpos: 1 })).toEqual([7]);
    expect(requests).toEqual([{ reset: true }, { qpos: 1 }]);
  });

  it("DialectAgent receives metadata that arrives with the first bytes of the connection", async () => {
    const server = await serverOf(counting());
    for (let i = 0; i < 20; i++) (await agentAt(server)).close?.();
    expect(server.headers).toHaveLength(20);
  });
});

describe("dialect address", () => {
  it("the address of a dialect has a scheme for each dialect, with and without TLS", () => {
    expect(dialectAgentFactories.map(([scheme]) => scheme)).toEqual(
      ["openpi", "behavior", "roboarena", "vla-eval"].flatMap((name) => [
        `${name}+ws`,
        `${name}+wss`,
      ]),
    );
  });

  it.each(["openpi+ws://", "openpi+ws", ""])(
    "the address of a dialect is rejected when it is %s",
    async (argument) => {
      const factory = new Map(dialectAgentFactories).get("openpi+ws");
      expect(() => factory?.create({ argument })).toThrow("is not a policy address");
    },
  );
});
