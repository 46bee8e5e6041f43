import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { errorMessage } from "../../core/errors.js";
import type { Accepted } from "./accept.js";
import type { Link } from "./link.js";
import { RawPolicy, until, type Wire } from "./raw-peer.fixture.js";
import { type ServerOptions, WebSocketServer } from "./server.js";

async function listen(
  more: Partial<ServerOptions> = {},
): Promise<{ readonly server: WebSocketServer; readonly accepted: Accepted[] }> {
  const accepted: Accepted[] = [];
  const server = await WebSocketServer.listen({
    port: 0,
    expects: "agent",
    capabilities: { encodings: ["msgpack", "json"], sessions: 4 },
    server: { name: "of a test" },
    onConnection: (one) => {
      accepted.push(one);
      hold(one.link);
    },
    ...more,
  });
  onTestFinished(() => server.close());
  return { server, accepted };
}

function hold(link: Link): void {
  link.listen({ onMessage: () => {}, onClose: () => {} });
}

/** Sends one frame and collects the replies, until the connection closes or `count` messages arrived. */
async function say(
  url: string,
  frames: readonly (Wire | string | Uint8Array)[],
  count = Number.POSITIVE_INFINITY,
): Promise<{ readonly heard: readonly Wire[]; readonly code: number | undefined }> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on("error", () => {});
  const heard: Wire[] = [];
  let code: number | undefined;
  socket.on("message", (data) => heard.push(JSON.parse(String(data))));
  socket.on("close", (value) => {
    code = value;
  });
  await once(socket, "open");
  for (const frame of frames) {
    socket.send(
      typeof frame === "string" || frame instanceof Uint8Array ? frame : JSON.stringify(frame),
    );
  }
  await until(() => code !== undefined || heard.length >= count);
  socket.terminate();
  return { heard, code };
}

const CONNECT = { type: "connect", role: "agent" };

describe("WebSocketServer", () => {
  it("WebSocketServer assigns a session id and sends the negotiated capabilities", async () => {
    const { server, accepted } = await listen();
    const capabilities = {
      encodings: ["json"],
      sessions: 2,
      sensors: ["rgb"],
      conventions: { action_dim: 7 },
      not_known_yet: true,
    };
    const { heard } = await say(server.url, [{ ...CONNECT, capabilities, hair: "red" }], 1);
    expect(heard[0]).toMatchObject({
      type: "connected",
      session_id: expect.stringMatching(/./),
      protocol_version: "1.0",
      server: { name: "of a test" },
      capabilities: {
        encodings: ["json"],
        sessions: 2,
        sensors: ["rgb"],
        conventions: { action_dim: 7 },
      },
    });
    expect(accepted[0]).toMatchObject({ resumed: false, sessionId: heard[0]?.session_id });
  });

  it("WebSocketServer uses JSON with a peer of the plain form and omits newer fields", async () => {
    const { server, accepted } = await listen({ resumable: true });
    const { heard } = await say(server.url, [CONNECT], 1);
    expect(heard[0]).not.toHaveProperty("resume_token");
    expect(heard[0]).toMatchObject({ capabilities: { encodings: ["json"], sessions: 1 } });
    expect(accepted[0]?.link.encoding).toBe("json");
  });

  it.each([
    ["a wrong token", { ...CONNECT, token: "x" }, "unauthorized", 1008],
    ["no token", CONNECT, "unauthorized", 1008],
    [
      "another version",
      { ...CONNECT, token: "right", protocol_version: "2.0" },
      "version_mismatch",
      1002,
    ],
    ["the other role", { type: "connect", role: "evaluator", token: "right" }, "bad_role", 1008],
    ["anything before connect", { type: "disconnect" }, "not_connected", 1002],
  ])("WebSocketServer refuses %s", async (_, hello, error, close) => {
    const { server, accepted } = await listen({ token: "right" });
    const { heard, code } = await say(server.url, [hello]);
    expect(heard).toMatchObject([{ type: "error", code: error, fatal: true }]);
    expect(code).toBe(close);
    expect(accepted).toEqual([]);
  });

  it("WebSocketServer accepts a peer with the token", async () => {
    const { server, accepted } = await listen({ token: "right" });
    await say(server.url, [{ ...CONNECT, token: "right" }], 1);
    expect(accepted).toHaveLength(1);
  });

  it("WebSocketServer closes a connection that does not send connect in time", async () => {
    const { server } = await listen({ handshakeMs: 20 });
    const { heard, code } = await say(server.url, []);
    expect(heard).toMatchObject([{ type: "error", code: "no_handshake", fatal: true }]);
    expect(code).toBe(1002);
  });

  it("WebSocketServer answers an invalid message with an error and keeps listening", async () => {
    const { server } = await listen();
    const frames = [
      "{",
      { type: "dance" },
      { type: "connect", role: "cook" },
      new Uint8Array([0xc1]),
    ];
    const { heard } = await say(server.url, [...frames, CONNECT], 5);
    expect(heard.map(({ type, code }) => code ?? type)).toEqual([
      "bad_message",
      "unknown_type",
      "bad_message",
      "bad_message",
      "connected",
    ]);
  });

  it("WebSocketServer reports why it rejected a peer or its first message", async () => {
    const reasons: string[] = [];
    const { server } = await listen({ onRefused: (error) => reasons.push(errorMessage(error)) });
    await say(server.url, [{ type: "connect", role: "cook" }, CONNECT], 2);
    await say(server.url, [{ type: "connect", role: "evaluator" }]);
    expect(reasons).toEqual([
      expect.stringContaining("connect: role: Invalid option"),
      "expected the role agent, received evaluator",
    ]);
  });

  it("WebSocketServer closes the connection of a peer that sends only invalid messages", async () => {
    const { server } = await listen();
    const { heard, code } = await say(
      server.url,
      Array.from({ length: 300 }, () => "nonsense"),
    );
    expect(code).toBe(1008);
    expect(heard.filter(({ fatal }) => fatal === true)).toHaveLength(1);
  });

  it("WebSocketServer closes with 1009 on a frame of 64 MB", async () => {
    const { server } = await listen();
    const { code } = await say(server.url, [CONNECT, Buffer.alloc(64 * 2 ** 20)]);
    expect(code).toBe(1009);
  });

  it("WebSocketServer rejects connections above the limit", async () => {
    const { server } = await listen({ maxConnections: 1 });
    await RawPolicy.dial(server.url);
    const { heard, code } = await say(server.url, [CONNECT]);
    expect(heard).toMatchObject([{ code: "busy" }]);
    expect(code).toBe(1013);
  });

  it("WebSocketServer rejects a connection when its owner is busy", async () => {
    const { server } = await listen({ refuse: () => "one at a time" });
    const { heard, code } = await say(server.url, [CONNECT]);
    expect(heard).toMatchObject([{ code: "busy", message: "one at a time" }]);
    expect(code).toBe(1013);
  });

  it("WebSocketServer reports that a port is in use", async () => {
    const { server } = await listen();
    await expect(listen({ port: server.port })).rejects.toMatchObject({
      code: "cannot_listen",
      where: `127.0.0.1:${server.port}`,
    });
  });

  it("WebSocketServer closes its connections when it stops", async () => {
    const { server } = await listen();
    const policy = await RawPolicy.dial(server.url);
    const closed = once(policy.last.socket, "close");
    await server.close();
    expect((await closed)[0]).toBe(1001);
  });
});

describe("a broken connection to a server", () => {
  const hello = { ...CONNECT, protocol_version: "1.0" };
  const connected = async (url: string, resume?: Wire) =>
    (await say(url, [resume ? { ...hello, resume } : hello], 1)).heard[0] ?? {};

  it("a broken connection to a server is resumed with its token under the same id, any number of times", async () => {
    const { server, accepted } = await listen({ resumable: true });
    const { session_id, resume_token } = await connected(server.url);
    for (const last_seq of [0, 1]) {
      const again = await connected(server.url, { session_id, resume_token, last_seq });
      expect(again).toMatchObject({ session_id, resume_token, resumed: true });
    }
    expect(accepted.map(({ resumed }) => resumed)).toEqual([false, true, true]);
  });

  it.each([
    ["with another token", { resume_token: "x" }],
    ["without one", { resume_token: undefined }],
    ["of another id", { session_id: "x" }],
  ])("a broken connection to a server is not resumed %s", async (_, wrong) => {
    const { server } = await listen({ resumable: true });
    const { session_id, resume_token } = await connected(server.url);
    const again = await connected(server.url, { session_id, resume_token, last_seq: 0, ...wrong });
    expect(again).not.toHaveProperty("resumed");
    expect(again.session_id).not.toBe(session_id);
  });

  it("a broken connection to a server is not resumed after it has ended", async () => {
    const { server } = await listen({ resumable: true });
    const { session_id, resume_token } = await connected(server.url);
    server.forget(String(session_id));
    const again = await connected(server.url, { session_id, resume_token, last_seq: 0 });
    expect(again).not.toHaveProperty("resumed");
  });
});
