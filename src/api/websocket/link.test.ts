import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { encodeFrame } from "../codec/frame.js";
import { unpackMsgpack } from "../codec/msgpack.js";
import type { Message } from "../messages/base.js";
import { DIALING, Link } from "./link.js";

let server: WebSocketServer;
/** Our link, and the raw socket at the other end. */
let link: Link;
let peer: WebSocket;
let heard: unknown[];
let wake: (() => void) | undefined;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const accepted = once(server, "connection");
  peer = new WebSocket(`ws://127.0.0.1:${port}`, DIALING);
  heard = [];
  peer.on("message", (data, isBinary) => {
    const bytes = data as Buffer;
    heard.push(isBinary ? unpackMsgpack(bytes) : JSON.parse(bytes.toString()));
    wake?.();
  });
  const [socket] = (await accepted) as [WebSocket];
  link = new Link(socket);
  if (peer.readyState !== peer.OPEN) await once(peer, "open");
});

afterEach(async () => {
  peer.terminate();
  await new Promise((resolve) => server.close(resolve));
});

async function hear(): Promise<unknown> {
  while (heard.length === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  return heard.shift();
}

function say(message: Message, encoding: "json" | "msgpack" = "json"): void {
  peer.send(encodeFrame(message, encoding));
}

const hello = (id: string): Message => ({ type: "disconnect", session_id: id });

describe("Link", () => {
  it("Link receives both encodings at any time and sends in its own", async () => {
    const got: Message[] = [];
    const second = new Promise<void>((resolve) => {
      link.listen({
        onMessage: (message) => {
          got.push(message);
          if (got.length === 2) resolve();
        },
        onClose: () => {},
      });
    });
    say(hello("a"), "msgpack");
    say(hello("b"), "json");
    await second;
    expect(got).toEqual([hello("a"), hello("b")]);
    link.encoding = "msgpack";
    await link.send(hello("c"));
    expect(await hear()).toEqual(hello("c"));
  });

  it("Link keeps messages in order until a listener is set", async () => {
    say(hello("a"));
    say(hello("b"));
    say({ type: "heartbeat", session_id: "", t: 1 });
    await hear();
    const got: string[] = [];
    link.listen({ onMessage: ({ session_id }) => got.push(session_id), onClose: () => {} });
    expect(got).toEqual(["a", "b"]);
  });

  it("Link answers heartbeats, but not heartbeat replies", async () => {
    say({ type: "heartbeat", session_id: "S", t: 5, re: 4 });
    say({ type: "heartbeat", session_id: "S", t: 6 });
    expect(await hear()).toMatchObject({ type: "heartbeat", session_id: "S", re: 6 });
  });

  it("Link answers an invalid message with an error and continues", async () => {
    const bad: [frame: string | Buffer, code: string][] = [
      ["{", "bad_message"],
      ["[]", "bad_message"],
      [Buffer.of(0xc1), "bad_message"],
      [Buffer.alloc(0), "bad_message"],
      ['{"type":"shout","session_id":""}', "unknown_type"],
      ['{"type":"action","session_id":"S"}', "bad_message"],
      [
        Buffer.from("83ab5f5f6e6461727261795f5fc3a56474797065a26638a46461746101", "hex"),
        "bad_message",
      ],
    ];
    for (const [frame, code] of bad) {
      peer.send(frame);
      expect(await hear()).toMatchObject({ type: "error", code, fatal: false });
    }
  });

  it("Link closes with 1008 after a hundred invalid messages", async () => {
    const closed = once(peer, "close");
    for (let i = 0; i <= 100; i++) peer.send("nonsense");
    const [code] = await closed;
    expect(code).toBe(1008);
    expect(heard.length).toBe(101);
    expect(heard.at(-1)).toMatchObject({ fatal: true });
  });

  it("Link reports its end once, also to a later listener", async () => {
    const ends: number[] = [];
    const ended = new Promise<void>((resolve) => {
      link.listen({
        onMessage: () => {},
        onClose: (code) => {
          ends.push(code);
          resolve();
        },
      });
    });
    peer.close(1001);
    await ended;
    expect([ends, link.isOpen]).toEqual([[1001], false]);
    link.listen({ onMessage: () => {}, onClose: (code) => ends.push(code) });
    expect(ends).toEqual([1001, 1001]);
    await expect(link.send(hello("a"))).rejects.toThrow();
    link.tell(hello("a"));
  });

  it("Link closes with a reason of any length", async () => {
    const closed = once(peer, "close");
    void link.close(1013, "é".repeat(200));
    const [code, reason] = await closed;
    expect(code).toBe(1013);
    expect(reason.toString()).toBe("é".repeat(60));
  });

  it("Link closes the connection of a peer that sends requests and never reads", async () => {
    const ended = new Promise<void>((resolve) => {
      link.listen({ onMessage: () => {}, onClose: () => resolve() });
    });
    peer.pause();
    const text = "x".repeat(2 ** 20);
    while (link.isOpen) {
      link.tell({ type: "error", session_id: "", code: "x", message: text, fatal: false });
    }
    await ended;
  });
});
