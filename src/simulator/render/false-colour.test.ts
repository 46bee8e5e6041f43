import { describe, expect, it } from "vitest";
import { forPeople } from "./false-colour.js";

const pixel = (data: Uint8Array, i: number) => [...data.subarray(3 * i, 3 * i + 3)];

describe("a picture for people", () => {
  it("leaves a colour picture as it is", () => {
    const image = { kind: "rgb", width: 1, height: 1, data: Uint8Array.of(1, 2, 3) } as const;
    expect(forPeople(image)).toBe(image);
  });

  it("shows depth lighter the nearer, and nothing as black", () => {
    const data = Float32Array.of(0.5, 4, 0);
    const shown = forPeople({ kind: "depth", width: 3, height: 1, data }).data;
    expect(pixel(shown, 0)[0]).toBeGreaterThan(pixel(shown, 1)[0] as number);
    expect(pixel(shown, 2)).toEqual([0, 0, 0]);
  });

  it("gives different numbers different colours, and equal ones the same", () => {
    const data = Uint16Array.from({ length: 32 }, (_, i) => i % 31);
    const shown = forPeople({ kind: "semantic", width: 32, height: 1, data }).data;
    const colors = new Set(Array.from(data, (_, i) => pixel(shown, i).join()));
    expect(colors.size).toBe(31);
  });
});
