import fc from "fast-check";
import { expect, it } from "vitest";
import type { Vec3 } from "../../core/math/vec3.js";
import { derivative } from "./derivative.js";

it("derivative is exact for polynomials of its order on time steps of unequal length", () => {
  const times = fc
    .uniqueArray(fc.integer({ min: 0, max: 80 }), { minLength: 4, maxLength: 12 })
    .map((list) => list.sort((a, b) => a - b).map((n) => n / 8));
  fc.assert(
    fc.property(times, (t) => {
      const path: Vec3[] = t.map((s) => [s, s ** 2, s ** 3]);
      const velocity = derivative(t, path, 1);
      const acceleration = derivative(t, velocity, 2);
      const jerk = derivative(t, acceleration, 3);
      for (const v of velocity) expect(v[0]).toBeCloseTo(1, 6);
      for (const a of acceleration) expect(a[1]).toBeCloseTo(2, 6);
      for (const j of jerk) expect(j[2]).toBeCloseTo(6, 6);
      expect(jerk).toHaveLength(t.length - 3);
    }),
  );
});
