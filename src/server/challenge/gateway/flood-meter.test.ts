import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FloodMeter } from "./flood-meter.js";

describe("a flood meter", () => {
  it("a flood meter never limits answers, however fast they arrive", () => {
    const meter = new FloodMeter(1, () => 0);
    for (let i = 0; i < 10_000; i++) {
      meter.asked();
      expect(meter.received()).toBe(true);
    }
  });

  it("a flood meter allows a burst of five seconds, then the sustained rate", () => {
    let ms = 0;
    const meter = new FloodMeter(2, () => ms);
    const came = (count: number) => Array.from({ length: count }, () => meter.received());
    expect(came(11)).toEqual([...new Array(10).fill(true), false]);
    ms += 1000;
    expect(came(2)).toEqual([true, false]);
  });

  it("a flood meter never allows more unsolicited messages than the burst plus the refill", () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 });
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 50 }), (waits, perSecond) => {
        let ms = 0;
        const meter = new FloodMeter(perSecond, () => ms);
        let passed = 0;
        for (const wait of waits) {
          ms += wait;
          if (!meter.received()) break;
          passed++;
        }
        expect(passed).toBeLessThanOrEqual(perSecond * 5 + (ms * perSecond) / 1000 + 1e-6);
      }),
    );
  });
});
