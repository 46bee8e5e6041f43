import { describe, expect, it } from "vitest";
import { frameBuffer, recycleFrame } from "./frame-pool.js";
import { packMsgpack, unpackMsgpack } from "./msgpack.js";

describe("frame buffer pool", () => {
  it("the frame buffer pool reuses a returned buffer for a frame of about the same size", () => {
    const first = frameBuffer(200_000);
    expect(frameBuffer(200_000).buffer).not.toBe(first.buffer);
    recycleFrame(first);
    const second = frameBuffer(150_000);
    expect([second.buffer, second.length]).toEqual([first.buffer, 150_000]);
    expect(frameBuffer(150_000).buffer).not.toBe(first.buffer);
  });

  it("the frame buffer pool hands out a buffer once, even when it is returned several times", () => {
    const frame = frameBuffer(300_000);
    recycleFrame(frame);
    recycleFrame(frame);
    expect(frameBuffer(300_000).buffer).not.toBe(frameBuffer(300_000).buffer);
  });

  it("the frame buffer pool keeps no buffers of small frames, and at most four large ones", () => {
    recycleFrame(Buffer.alloc(100));
    recycleFrame("text");
    const many = Array.from({ length: 20 }, () => frameBuffer(400_000));
    for (const frame of many) recycleFrame(frame);
    const given = new Set(many.map(({ buffer }) => buffer));
    const again = Array.from({ length: 20 }, () => frameBuffer(400_000));
    expect(again.filter(({ buffer }) => given.has(buffer)).length).toBeLessThanOrEqual(4);
  });

  it("the frame buffer pool reuses a buffer for frames that grow by one byte at a time", () => {
    const first = frameBuffer(500_000);
    recycleFrame(first);
    for (let length = 500_001; length < 500_020; length++) {
      const frame = frameBuffer(length);
      expect([frame.buffer, frame.length]).toEqual([first.buffer, length]);
      recycleFrame(frame);
    }
  });

  it("the frame buffer pool drops the oldest buffer when the pool is full of other sizes", () => {
    for (const size of [1, 2, 3, 4, 5]) recycleFrame(Buffer.alloc(size * 4_000_000));
    const frame = frameBuffer(100_000);
    recycleFrame(frame);
    expect(frameBuffer(100_000).buffer).toBe(frame.buffer);
  });

  it("the frame buffer pool leaks no earlier content into a frame that reuses a buffer", () => {
    recycleFrame(packMsgpack(Buffer.alloc(500_000, 1)));
    const value = { bytes: Buffer.alloc(450_000, 2), after: "x" };
    expect(unpackMsgpack(packMsgpack(value))).toEqual(value);
  });
});
