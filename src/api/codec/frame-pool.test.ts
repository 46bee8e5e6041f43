import { describe, expect, it } from "vitest";
import { frameBuffer, recycleFrame } from "./frame-pool.js";
import { packMsgpack, unpackMsgpack } from "./msgpack.js";

describe("the memory of frames", () => {
  it("is used again for a frame of about the same size, once it is given back", () => {
    const first = frameBuffer(200_000);
    expect(frameBuffer(200_000).buffer).not.toBe(first.buffer);
    recycleFrame(first);
    const second = frameBuffer(150_000);
    expect([second.buffer, second.length]).toEqual([first.buffer, 150_000]);
    expect(frameBuffer(150_000).buffer).not.toBe(first.buffer);
  });

  it("is given to one frame only, however often it is given back", () => {
    const frame = frameBuffer(300_000);
    recycleFrame(frame);
    recycleFrame(frame);
    expect(frameBuffer(300_000).buffer).not.toBe(frameBuffer(300_000).buffer);
  });

  it("is not kept for small frames, nor too much of it", () => {
    recycleFrame(Buffer.alloc(100));
    recycleFrame("text");
    const many = Array.from({ length: 20 }, () => frameBuffer(400_000));
    for (const frame of many) recycleFrame(frame);
    const given = new Set(many.map(({ buffer }) => buffer));
    const again = Array.from({ length: 20 }, () => frameBuffer(400_000));
    expect(again.filter(({ buffer }) => given.has(buffer)).length).toBeLessThanOrEqual(4);
  });

  it("is found again by frames that grow by a byte at a time", () => {
    const first = frameBuffer(500_000);
    recycleFrame(first);
    for (let length = 500_001; length < 500_020; length++) {
      const frame = frameBuffer(length);
      expect([frame.buffer, frame.length]).toEqual([first.buffer, length]);
      recycleFrame(frame);
    }
  });

  it("makes place for new sizes when it is full of others", () => {
    for (const size of [1, 2, 3, 4, 5]) recycleFrame(Buffer.alloc(size * 4_000_000));
    const frame = frameBuffer(100_000);
    recycleFrame(frame);
    expect(frameBuffer(100_000).buffer).toBe(frame.buffer);
  });

  it("does not show what was in it before", () => {
    recycleFrame(packMsgpack(Buffer.alloc(500_000, 1)));
    const value = { bytes: Buffer.alloc(450_000, 2), after: "x" };
    expect(unpackMsgpack(packMsgpack(value))).toEqual(value);
  });
});
