import { createHash, randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { Random } from "../../src/core/math/random.js";

/** Raw bytes below the message level, and the expected reaction. */
export interface RawAttack {
  readonly how: string;
  readonly bytes: Buffer;
  /** Accepted close codes. */
  readonly codes: readonly number[];
}

interface Head {
  readonly fin?: boolean;
  readonly rsv?: number;
  readonly opcode: number;
  /** Announced length, if it differs from that of the payload. */
  readonly length?: bigint;
}

/** Encodes one RFC 6455 frame, valid or not. */
function rawFrame(head: Head, payload: Buffer, isMasked: boolean): Buffer {
  const { fin = true, rsv = 0, opcode, length = BigInt(payload.length) } = head;
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  const masked = isMasked ? 0x80 : 0;
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(length);
  const size =
    length < 126n
      ? Buffer.from([masked | Number(length)])
      : length < 65_536n
        ? Buffer.concat([Buffer.from([masked | 126]), long.subarray(6)])
        : Buffer.concat([Buffer.from([masked | 127]), long]);
  const mask = randomBytes(4);
  const body = isMasked ? payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0)) : payload;
  return Buffer.concat([Buffer.from([first]), size, ...(isMasked ? [mask] : []), body]);
}

/** A frame that WebSocket forbids. @param isMasked true if the peer expects masked frames */
export function badFrame(random: Random, isMasked: boolean): RawAttack {
  const text = Buffer.from('{"type":"heartbeat","t":1}');
  const frame = (head: Head, payload = text) => rawFrame(head, payload, isMasked);
  const cases: Readonly<Record<string, readonly [Buffer, ...number[]]>> = {
    "a reserved bit": [frame({ opcode: 1, rsv: 1 + random.below(7) }), 1002],
    "a reserved opcode": [frame({ opcode: random.pick([3, 4, 5, 6, 7]) }), 1002],
    "a reserved control opcode": [frame({ opcode: 11 + random.below(5) }), 1002],
    "the wrong mask": [rawFrame({ opcode: 1 }, text, !isMasked), 1002],
    "a long ping": [frame({ opcode: 9 }, Buffer.alloc(126)), 1002],
    "a ping in pieces": [frame({ opcode: 9, fin: false }), 1002],
    "the end of nothing": [frame({ opcode: 0 }), 1002],
    "text within text": [
      Buffer.concat([frame({ opcode: 1, fin: false }), frame({ opcode: 1 })]),
      1002,
    ],
    "a length above 2^53": [frame({ opcode: 2, length: 2n ** 62n }), 1009],
    "a length of a terabyte": [frame({ opcode: 2, length: 2n ** 40n }), 1009],
    "half a close code": [frame({ opcode: 8 }, Buffer.from([3])), 1002],
    "a close code that is none": [
      frame({ opcode: 8 }, Buffer.from(random.pick(["03e7", "03ed", "1388", "0000"]), "hex")),
      1002,
    ],
    "a close reason that is no text": [frame({ opcode: 8 }, Buffer.from("03e8ff", "hex")), 1007],
    "text that is no UTF-8": [frame({ opcode: 1 }, Buffer.from("22ff22", "hex")), 1007],
    "noise in the place of frames": [Buffer.from(Array.from({ length: 64 }, () => 0xf3)), 1002],
  };
  const how = random.pick(Object.keys(cases));
  const [bytes, ...codes] = cases[how] ?? [Buffer.alloc(0)];
  return { how, bytes, codes };
}

/** Bytes of an invalid upgrade request, or of something else entirely. */
export function badUpgrade(random: Random): Buffer {
  const request = upgradeRequest();
  switch (random.below(8)) {
    case 0:
      return Buffer.from(Array.from({ length: 1 + random.below(300) }, () => random.below(256)));
    case 1:
      return Buffer.from(request.replace(/Sec-WebSocket-Key: .*\r\n/, ""));
    case 2:
      return Buffer.from(request.replace("Version: 13", "Version: 99"));
    case 3:
      return Buffer.from(request.replace("GET", random.pick(["POST", "PUT", "CONNECT", "get"])));
    case 4:
      return Buffer.from(request.replace("Host:", `X: ${"y".repeat(20_000)}\r\nHost:`));
    case 5:
      return Buffer.from(request.replace(/Key: .*/, "Key: short"));
    case 6:
      return Buffer.from(request.slice(0, random.below(request.length)));
    default: {
      const bytes = Buffer.from(request);
      for (let i = 0; i < 3; i++) bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
    }
  }
}

export function upgradeRequest(): string {
  return [
    "GET / HTTP/1.1",
    "Host: 127.0.0.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    "Sec-WebSocket-Version: 13",
    "\r\n",
  ].join("\r\n");
}

/** The server's response to an upgrade request with this key. */
export function upgradeAnswer(request: string): string {
  const key = /Sec-WebSocket-Key: (.*)\r\n/i.exec(request)?.[1] ?? "";
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept.digest("base64")}`,
    "\r\n",
  ].join("\r\n");
}

/** Invalid responses to an upgrade request. */
export function badAnswer(random: Random, request: string): Buffer {
  const answer = upgradeAnswer(request);
  switch (random.below(6)) {
    case 0:
      return Buffer.from(Array.from({ length: 1 + random.below(300) }, () => random.below(256)));
    case 1:
      return Buffer.from(answer.replace(/Accept: .*/, "Accept: wrong"));
    case 2:
      return Buffer.from(answer.replace("101 Switching Protocols", "200 OK"));
    case 3:
      return Buffer.from(answer.replace("Upgrade: websocket", "Upgrade: h2c"));
    case 4:
      return Buffer.from(answer.slice(0, random.below(answer.length)));
    default:
      return Buffer.from(`${answer.slice(0, -2)}Sec-WebSocket-Extensions: x\r\n\r\n`);
  }
}

/** A TCP connection and the bytes received on it. */
export class RawSocket {
  readonly socket: Socket;
  /** Resolves when it is closed. */
  readonly end: Promise<void>;
  readonly #chunks: Buffer[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => this.#chunks.push(chunk));
    socket.on("error", () => {});
    this.end = new Promise((resolve) => socket.once("close", () => resolve()));
  }

  get said(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** The code of the close frame in the bytes after the handshake. */
export function closeCodeIn(said: Buffer): number | undefined {
  const head = said.indexOf("\r\n\r\n");
  let at = head < 0 ? 0 : head + 4;
  while (at + 2 <= said.length) {
    const opcode = (said[at] ?? 0) & 0x0f;
    const isMasked = ((said[at + 1] ?? 0) & 0x80) !== 0;
    const short = (said[at + 1] ?? 0) & 0x7f;
    const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
    const length = wide === 2 ? said.readUInt16BE(at + 2) : short;
    const mask = at + 2 + wide;
    const body = mask + (isMasked ? 4 : 0);
    if (opcode === 8) {
      const unmasked = (i: number) =>
        (said[body + i] ?? 0) ^ (isMasked ? (said[mask + i] ?? 0) : 0);
      return length < 2 ? 1005 : unmasked(0) * 256 + unmasked(1);
    }
    at = body + length;
  }
  return undefined;
}
