import { z } from "zod";
import { atMost } from "../../measurement.js";
import { share, thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.strictObject({ fixture: thing, fraction: share.default(0.05) });

export const closed: MeasuredPredicate<z.output<typeof params>> = {
  name: "closed",
  summary: "the fixture is open by at most `fraction` (0.05) of its range",
  params,
  needs: ({ fixture }) => [{ fixture, aspect: "opening" }],
  measure: ({ fixture, fraction }, { now }) => atMost(now.fixture(fixture, "opened"), fraction),
};
