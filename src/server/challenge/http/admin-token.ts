import { checkToken } from "../../auth.js";

const VARIABLE = "ROBOT_EVAL_ADMIN_TOKEN";

/**
 * The organisers' token for the audit log and the metrics over HTTP. Only read from the environment, because
 * challenge files are public.
 */
export function adminToken(): string | undefined {
  const token = process.env[VARIABLE];
  if (token === undefined || token === "") return undefined;
  checkToken("127.0.0.1", token, { host: "listen.host", token: VARIABLE });
  return token;
}
