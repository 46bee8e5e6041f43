import { Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import { sameSecret } from "../../../api/websocket/secrets.js";
import { cleanText } from "../../../core/text.js";
import { bearer } from "../../auth.js";
import type { ChallengeStore } from "../store/postgres-store.js";
import { AUDIT_EVENTS } from "../store/store.js";
import type { ChallengeContext, ChallengeHono, Environment } from "./context.js";
import type { AuditDocument } from "./documents.js";
import { badRequest, checked, unauthorised, unknownAddress } from "./problems.js";
import { auditLine } from "./views.js";

export interface AdminOptions {
  readonly store: ChallengeStore;
  /** Token for the audit log; without one the log cannot be read over HTTP. */
  readonly adminToken: string | undefined;
  /** Called for rejected requests. */
  readonly refused: (c: ChallengeContext, why: string) => void;
}

const auditQuery = z.strictObject({
  team: z
    .string()
    .max(200)
    .transform((name) => cleanText(name, 200))
    .optional(),
  submission: z.uuid().optional(),
  event: z.enum(AUDIT_EVENTS).optional(),
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

/** Read-only routes for organisers under `/api/admin`. Changes are made on the command line. */
export function adminRoutes(options: AdminOptions): ChallengeHono {
  const app: ChallengeHono = new Hono<Environment>();
  app.use(administrators(options));
  app.get("/audit.json", async (c) =>
    c.json(await auditLog(c, options), 200, { "Cache-Control": "no-store" }),
  );
  return app;
}

/** Answers 404 if no administrator's token is configured. */
function administrators({ adminToken, refused }: AdminOptions): MiddlewareHandler<Environment> {
  return async (c, next) => {
    if (adminToken === undefined) throw unknownAddress();
    if (!sameSecret(adminToken, bearer(c) ?? "")) {
      refused(c, "wrong_admin_token");
      throw unauthorised();
    }
    await next();
  };
}

async function auditLog(c: ChallengeContext, { store }: AdminOptions): Promise<AuditDocument> {
  const { team, submission, event, before, limit } = checked(auditQuery, c.req.query());
  const found = team === undefined ? undefined : await store.team(team);
  if (team !== undefined && !found) throw badRequest("this team does not exist");
  const records = await store.auditLog({
    ...{ event, before, limit },
    teamId: found?.id,
    submissionId: submission,
  });
  const last = records.at(-1);
  return {
    format: "robot-eval-audit/1",
    entries: records.map(auditLine),
    next: last !== undefined && records.length === limit ? last.id : null,
  };
}
