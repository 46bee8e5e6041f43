import type { z } from "zod";
import { badRequest } from "./problems.js";

/** What a caller sent, if it is what it should be. @throws ChallengeError `bad_request` that names the first mistake */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest(`${issue?.path.join(".") || "the request"}: ${issue?.message ?? "not valid"}`);
}
