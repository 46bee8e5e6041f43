import { ConfigError } from "../../core/errors.js";
import type { AdminAction } from "./admin-context.js";

/** The address for `worker --queue`. It contains the password, unless the challenge's file names it without one. */
export const showDatabase: AdminAction = async ({ url, isOwn }) => {
  if (isOwn) {
    throw new ConfigError(
      "no_database",
      "the challenge's embedded PostgreSQL runs only while its server does",
      { hint: "start robot-eval serve with this file first; the address changes with each start" },
    );
  }
  return { document: { url }, text: url };
};
