import { describe, expect, it } from "vitest";
import { Canvas, type Rgb } from "./canvas.js";

const WHITE: Rgb = [255, 255, 255];

function at(canvas: Canvas, x: number, y: number): number[] {
  return [...canvas.data.subarray((y * canvas.width + x) * 3, (y * canvas.width + x) * 3 + 3)];
}

describe("a canvas", () => {
  it("a canvas draws images and clips them", () => {
    const canvas = new Canvas(4, 3);
    canvas.paste(new Canvas(3, 3).fill(WHITE), 2, 1);
    expect(at(canvas, 1, 1)).toEqual([0, 0, 0]);
    expect(at(canvas, 2, 1)).toEqual([255, 255, 255]);
    expect(at(canvas, 3, 2)).toEqual([255, 255, 255]);
    expect(at(canvas, 0, 2)).toEqual([0, 0, 0]);
  });

  it("a canvas antialiases edges and draws nothing outside itself", () => {
    const canvas = new Canvas(20, 20);
    canvas.disc(10, 10, 4, WHITE);
    expect(at(canvas, 10, 10)).toEqual([255, 255, 255]);
    expect(at(canvas, 2, 10)).toEqual([0, 0, 0]);
    const levels = new Set(canvas.data);
    expect(levels.size).toBeGreaterThan(4);
    canvas.line([-30, 5], [50, 5], 3, WHITE);
    expect(at(canvas, 0, 5)).toEqual([255, 255, 255]);
    expect(at(canvas, 19, 5)).toEqual([255, 255, 255]);
  });

  it("a canvas is copied from a Buffer or a Uint8Array", () => {
    const buffer = Buffer.alloc(12);
    const copy = Canvas.copyOf({ width: 2, height: 2, data: buffer });
    copy.fill(WHITE);
    expect(buffer.every((level) => level === 0)).toBe(true);
  });
});
