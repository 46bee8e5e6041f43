import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";

/** A recorded frame: bytes as base64, or text. */
export interface RecordedFrame {
  readonly from: "client" | "server";
  readonly base64?: string;
  readonly text?: string;
}

export interface Recorder {
  readonly port: number;
  readonly frames: readonly RecordedFrame[];
  stop(): void;
}

/** A proxy between a client and a server that forwards every frame unchanged and records it. */
export async function startRecorder(serverPort: number): Promise<Recorder> {
  const frames: RecordedFrame[] = [];
  // BEHAVIOR's client asks for its server's health before it connects.
  const http = createServer((_, response) => response.end("OK\n"));
  const server = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 0 });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.on("connection", (client) => {
    const upstream = new WebSocket(`ws://127.0.0.1:${serverPort}`, { perMessageDeflate: false });
    const early: (() => void)[] = [];
    upstream.on("open", () => {
      for (const send of early.splice(0)) send();
    });
    client.on("message", (data, isBinary) => {
      frames.push(recorded("client", data, isBinary));
      const send = () => upstream.send(data, { binary: isBinary });
      if (upstream.readyState === WebSocket.OPEN) send();
      else early.push(send);
    });
    upstream.on("message", (data, isBinary) => {
      frames.push(recorded("server", data, isBinary));
      client.send(data, { binary: isBinary });
    });
    client.on("close", () => upstream.close());
    upstream.on("close", () => client.close());
    upstream.on("error", () => client.terminate());
  });
  const { port } = http.address() as AddressInfo;
  return { port, frames, stop: () => http.close() };
}

function recorded(from: RecordedFrame["from"], data: RawData, isBinary: boolean): RecordedFrame {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer);
  return isBinary ? { from, base64: bytes.toString("base64") } : { from, text: bytes.toString() };
}
