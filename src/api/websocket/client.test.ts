import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { dial } from "./client.js";
import { introduce } from "./handshake.js";
import { RawPolicy, type Reaction, until } from "./raw-peer.fixture.js";

const HELLO = { role: "evaluator", capabilities: {} } as const;

/** A TCP server that passes each connection to `onSocket`. */
async function tcp(onSocket: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(onSocket).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A port without a listener. */
async function deadPort(): Promise<number> {
  const policy = await RawPolicy.listen();
  await policy.stop();
  return policy.port;
}

describe("dial", () => {
  it("dial reports that the connection was refused, with the address", async () => {
    const url = `ws://127.0.0.1:${await deadPort()}`;
    await expect(dial(url, { timeoutMs: 300 })).rejects.toMatchObject({
      code: "connection_refused",
      where: url,
      hint: expect.stringContaining("start the policy"),
    });
  });

  it("dial keeps trying while the policy is starting", async () => {
    const port = await deadPort();
    const whys: string[] = [];
    const link = dial(`ws://127.0.0.1:${port}`, {
      timeoutMs: 30_000,
      onRetry: ({ code }) => whys.push(code),
    });
    await until(() => whys.length > 0);
    await RawPolicy.listen({}, port);
    await (await link).close();
    expect(whys[0]).toBe("connection_refused");
  });

  it("dial stops trying when its signal aborts", async () => {
    const over = new AbortController();
    const port = await deadPort();
    const link = dial(`ws://127.0.0.1:${port}`, {
      timeoutMs: 60_000,
      signal: over.signal,
      onRetry: () => over.abort(),
    });
    await expect(link).rejects.toThrow();
  });

  it("dial does not retry a host that does not exist", async () => {
    await expect(dial("ws://nowhere.invalid:1", { timeoutMs: 30_000 })).rejects.toMatchObject({
      code: "unknown_host",
    });
  });

  it("dial distinguishes a web server from a policy", async () => {
    const server = createHttpServer((_, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expect(dial(`ws://127.0.0.1:${port}`, { timeoutMs: 30_000 })).rejects.toMatchObject({
      code: "http_status",
      message: expect.stringContaining("404"),
    });
  });

  it("dial distinguishes a server that is not HTTP", async () => {
    const port = await tcp((socket) => socket.on("error", () => {}).end("220 mail ready\r\n"));
    await expect(dial(`ws://127.0.0.1:${port}`, { timeoutMs: 30_000 })).rejects.toMatchObject({
      code: "no_websocket",
    });
  });

  it("dial distinguishes a server without TLS", async () => {
    const { url } = await RawPolicy.listen();
    await expect(dial(url.replace("ws:", "wss:"), { timeoutMs: 30_000 })).rejects.toMatchObject({
      code: "no_websocket",
      hint: expect.stringContaining("ws://"),
    });
  });

  it("dial times out when the server accepts the connection and sends nothing", async () => {
    const port = await tcp((socket) => void socket.on("error", () => {}));
    await expect(dial(`ws://127.0.0.1:${port}`, { timeoutMs: 30 })).rejects.toMatchObject({
      code: "connect_timeout",
    });
  });

  it.each(["http://a", "ws://", "localhost:8000"])("dial rejects the address %s", async (url) => {
    await expect(dial(url, { timeoutMs: 10 })).rejects.toMatchObject({ code: "bad_url" });
  });

  it("dial sends the given headers and no compression offer", async () => {
    const requests: string[] = [];
    const port = await tcp((socket) => {
      socket.on("error", () => {});
      socket.once("data", (data) => {
        requests.push(data.toString());
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      });
    });
    const link = dial(`ws://127.0.0.1:${port}`, { timeoutMs: 30_000, headers: { "X-Key": "k" } });
    await expect(link).rejects.toMatchObject({ code: "http_status" });
    expect(requests[0]).toMatch(/X-Key: k/);
    expect(requests[0]).not.toMatch(/permessage-deflate/);
  });

  it("dial closes with 1009 on a frame above the limit", async () => {
    const policy = await RawPolicy.listen();
    const link = await dial(policy.url, { timeoutMs: 30_000, maxPayload: 1000 });
    await until(() => policy.connections.length === 1);
    const code = new Promise((resolve) => policy.last.socket.once("close", resolve));
    policy.last.send("x".repeat(1001));
    expect(await code).toBe(1009);
    expect(link.isOpen).toBe(false);
    // Not 1006: the network has not failed, so dialling again would not help.
    const seen = new Promise((resolve) =>
      link.listen({ onMessage: () => {}, onClose: (code) => resolve(code) }),
    );
    expect(await seen).toBe(1009);
    expect(link.hasFault).toBe(true);
  });
});

describe("client handshake", () => {
  it("the client handshake negotiates an encoding", async () => {
    const { url } = await RawPolicy.listen({ capabilities: { encodings: ["msgpack"] } });
    const link = await dial(url, { timeoutMs: 30_000 });
    await introduce(link, HELLO, 30_000);
    expect(link.encoding).toBe("msgpack");
    await link.close();
  });

  it("the client handshake keeps messages that follow connected immediately", async () => {
    const { url } = await RawPolicy.listen({
      on: {
        connect: (message, peer) => {
          peer.answer(message);
          peer.send({ type: "disconnect", session_id: "", reason: "at once" });
        },
      },
    });
    const link = await dial(url, { timeoutMs: 30_000 });
    await introduce(link, HELLO, 30_000);
    const next = await new Promise((resolve) =>
      link.listen({ onMessage: resolve, onClose: () => {} }),
    );
    expect(next).toMatchObject({ type: "disconnect", reason: "at once" });
    await link.close();
  });

  it("the client handshake fails with a reason when the peer does not answer", async () => {
    const { url } = await RawPolicy.listen({ on: { connect: () => {} } });
    const link = await dial(url, { timeoutMs: 30_000 });
    await expect(introduce(link, HELLO, 30)).rejects.toMatchObject({ code: "no_handshake" });
    await link.close();
  });

  it.each<[string, Reaction, string]>([
    ["hangs up", (_, peer) => peer.cut(), "no_handshake"],
    ["sends another message", (_, peer) => peer.send({ type: "disconnect" }), "no_handshake"],
    [
      "uses another version",
      (_, peer) => peer.send({ type: "connected", session_id: "a", protocol_version: "2.1" }),
      "version_mismatch",
    ],
    [
      "refuses",
      (_, peer) => peer.send({ type: "error", code: "unauthorized", message: "no", fatal: true }),
      "unauthorized",
    ],
  ])("the client handshake fails with a reason when the peer %s", async (_, connect, code) => {
    const { url } = await RawPolicy.listen({ on: { connect } });
    const link = await dial(url, { timeoutMs: 30_000 });
    await expect(introduce(link, HELLO, 30_000)).rejects.toMatchObject({ code });
    await link.close();
  });
});
