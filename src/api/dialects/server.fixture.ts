import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { isMap } from "./openpi.js";

export interface FakeServer {
  readonly url: string;
  /** Request headers of each connection, in order of arrival. */
  readonly headers: IncomingHttpHeaders[];
  /** Number of open connections. */
  connections(): number;
  stop(): Promise<void>;
}

/** A WebSocket server that handles each connection with `meet`. */
export async function fakeServer(meet: (socket: WebSocket) => void): Promise<FakeServer> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await new Promise((resolve) => server.once("listening", resolve));
  const headers: IncomingHttpHeaders[] = [];
  server.on("connection", (socket, request) => {
    headers.push(request.headers);
    meet(socket);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    headers,
    connections: () => server.clients.size,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
}

/** Sends `metadata` first, then answers each map with a map, a text, or nothing. */
export function openpiLike(
  metadata: Readonly<Record<string, unknown>>,
  answer: (request: Readonly<Record<string, unknown>>) => object | string | undefined,
): (socket: WebSocket) => void {
  return (socket) => {
    socket.send(packMsgpack(metadata));
    socket.on("message", (data: Buffer) => {
      const request = unpackMsgpack(data);
      const reply = isMap(request) ? answer(request) : undefined;
      if (typeof reply === "string") socket.send(reply);
      else if (reply) socket.send(packMsgpack(reply));
    });
  };
}

/** Answers each vla-eval message; the reply to `hello` declares the specs. */
export function vlaEvalLike(
  hello: Readonly<Record<string, unknown>>,
  answer: (message: Readonly<Record<string, unknown>>) => object | undefined = () => undefined,
): (socket: WebSocket) => void {
  return (socket) => {
    socket.on("message", (data: Buffer) => {
      const message = unpackMsgpack(data);
      if (!isMap(message)) return;
      const payload = { harness_version: "0", protocol_version: 1, ...hello };
      const reply = message.type === "hello" ? { type: "hello", payload } : answer(message);
      if (reply) {
        socket.send(packMsgpack({ seq: message.seq, timestamp: 0, ...reply }, "text"));
      }
    });
  };
}
