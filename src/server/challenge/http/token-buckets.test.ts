import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TokenBuckets } from "./token-buckets.js";

function buckets(options: { perMinute?: number; burst?: number; mostKeys?: number } = {}) {
  const clock = { ms: 0 };
  const made = new TokenBuckets({ perMinute: 60, burst: 3, ...options, now: () => clock.ms });
  return { clock, made };
}

describe("token buckets", () => {
  it("token buckets allow a burst, then return the seconds to wait", () => {
    const { made, clock } = buckets();
    expect([1, 2, 3].map(() => made.take("a"))).toEqual([0, 0, 0]);
    expect(made.take("a")).toBe(1);
    clock.ms = 999;
    expect(made.take("a")).toBe(1);
    clock.ms = 1000;
    expect(made.take("a")).toBe(0);
  });

  it("token buckets count each key separately", () => {
    const { made } = buckets({ burst: 1 });
    expect([made.take("a"), made.take("b"), made.take("a")]).toEqual([0, 0, 1]);
  });

  it("token buckets round the wait up, so that a token is available after it", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 600, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (perMinute, burst) => {
          const { made, clock } = buckets({ perMinute, burst });
          for (let i = 0; i < burst; i++) expect(made.take("a")).toBe(0);
          clock.ms += made.take("a") * 1000;
          expect(made.take("a")).toBe(0);
        },
      ),
    );
  });

  it("token buckets never allow more than the burst plus the refill", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (waits) => {
        const { made, clock } = buckets();
        let passed = 0;
        for (const wait of waits) {
          clock.ms += wait;
          if (made.take("a") === 0) passed++;
        }
        expect(passed).toBeLessThanOrEqual(3 + clock.ms / 1000);
      }),
    );
  });

  it("token buckets keep at most mostKeys keys and drop the least recently used", () => {
    const { made } = buckets({ burst: 1, mostKeys: 2 });
    made.take("a");
    made.take("b");
    made.take("a");
    made.take("c");
    expect(made.size).toBe(2);
    expect(made.wait("a")).toBe(1);
    expect(made.wait("b")).toBe(0);
  });
});
