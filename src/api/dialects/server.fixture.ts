import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { isMap } from "./openpi.js";

export interface FakeServer {
  readonly url: string;
  /** Of each connection, in the order in which they came. */
  readonly headers: IncomingHttpHeaders[];
  stop(): Promise<void>;
}

/** A WebSocket server of another project's kind, played by `meet`. */
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
    stop: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
}

/** Says `metadata` first, then answers each map: with a map, with a text, or not at all. */
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

/** Answers each message of vla-eval; `hello` is told what it declares. */
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
