import { checkToken } from "../../auth.js";

const VARIABLE = "ROBOT_EVAL_ADMIN_TOKEN";

/**
 * What organisers read the audit log and the metrics with over HTTP. From the environment alone: a challenge's file
 * is meant to be shown.
 */
export function adminToken(): string | undefined {
  const token = process.env[VARIABLE];
  if (token === undefined || token === "") return undefined;
  checkToken("127.0.0.1", token, { host: "listen.host", token: VARIABLE });
  return token;
}
