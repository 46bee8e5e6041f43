import { z } from "zod";
import { atLeast } from "../../measurement.js";
import { share, thing } from "../../params.js";
import type { MeasuredPredicate } from "../../predicate.js";

const params = z.strictObject({ fixture: thing, fraction: share.default(0.75) });

/** The default is that of ManiSkill for cabinets. */
export const open: MeasuredPredicate<z.output<typeof params>> = {
  name: "open",
  summary: "the fixture is open by at least `fraction` (0.75) of its range",
  params,
  needs: ({ fixture }) => [{ fixture, aspect: "opening" }],
  measure: ({ fixture, fraction }, { now }) => atLeast(now.fixture(fixture, "opened"), fraction),
};
