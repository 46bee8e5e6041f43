import { mcnemarExact } from "../../stats/mcnemar.js";
import { pairedDifferences } from "../../stats/paired-differences.js";
import { pairedT } from "../../stats/paired-t.js";
import type { MetricComparison } from "./documents.js";

export type PairedTest = Pick<MetricComparison, "test" | "discordant" | "p">;

/**
 * Tests whether two runs differ on the same episodes, given in the same order: McNemar's exact test for binary
 * values, an exact sign test if all differences are equal, and Student's paired t test otherwise.
 *
 * @param repeated true if a value is the mean of several repeats
 */
export function pairedTest(
  a: readonly number[],
  b: readonly number[],
  repeated: boolean,
): PairedTest {
  // A mean over repeats is not binary, even if all repeats agree.
  if (!repeated && [a, b].every(isBinary)) {
    const discordant = countDiscordant(a, b);
    const p = mcnemarExact(discordant.only_a, discordant.only_b);
    return { test: "mcnemar_exact", discordant, p };
  }
  const differences = pairedDifferences(a, b);
  const [one = 0] = differences;
  if (one !== 0 && differences.length > 1 && differences.every((d) => d === one)) {
    // With zero variance a t test would be certain after two episodes, so test the signs instead.
    return { test: "sign_exact", discordant: null, p: mcnemarExact(0, differences.length) };
  }
  return { test: "paired_t", discordant: null, p: pairedT(a, b)?.p ?? null };
}

function isBinary(values: readonly number[]): boolean {
  return values.every((value) => value === 0 || value === 1);
}

function countDiscordant(a: readonly number[], b: readonly number[]) {
  const only = (mine: readonly number[], theirs: readonly number[]) =>
    mine.filter((value, i) => value === 1 && theirs[i] === 0).length;
  return { only_a: only(a, b), only_b: only(b, a) };
}
