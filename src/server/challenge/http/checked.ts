import type { z } from "zod";
import { badRequest } from "./problems.js";

/** Validates a client's input. @throws ChallengeError `bad_request` with the first mistake */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest(`${issue?.path.join(".") || "the request"}: ${issue?.message ?? "not valid"}`);
}
