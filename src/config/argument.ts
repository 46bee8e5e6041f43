import type { z } from "zod";
import { ConfigError } from "../core/errors.js";
import { check } from "./issues.js";

/**
 * Checks an argument that a program passes.
 *
 * @throws ConfigError with the first problem; `where` names the function and its argument
 */
export function checkArgument<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const checked = check(schema, value);
  if ("data" in checked) return checked.data;
  const [first] = checked.findings;
  const field = first?.path.length ? `${first.path.join(".")}: ` : "";
  const problem = `${field}${first?.problem ?? "invalid"}`;
  throw new ConfigError("bad_argument", problem, { where, hint: first?.hint });
}
