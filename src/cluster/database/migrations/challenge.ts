import type { Migration } from "./index.js";

/**
 * Tables of the challenge server. Tokens are stored as SHA-256: their 256 random bits need no slow hash. A trigger
 * keeps rows of the audit log from being changed or deleted.
 */
export const CHALLENGE: readonly Migration[] = [
  {
    version: 100,
    name: "challenge",
    sql: `
CREATE TABLE robot_eval.challenge_teams (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE,
  affiliation text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);
CREATE TABLE robot_eval.challenge_tokens (
  id text PRIMARY KEY,
  team_id uuid NOT NULL REFERENCES robot_eval.challenge_teams(id),
  hash bytea NOT NULL,
  label text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX challenge_tokens_team ON robot_eval.challenge_tokens(team_id);
CREATE TABLE robot_eval.challenge_submissions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL REFERENCES robot_eval.challenge_teams(id),
  phase text NOT NULL,
  name text NOT NULL DEFAULT '',
  state text NOT NULL CHECK (state IN
    ('queued', 'waiting_for_agent', 'running', 'done', 'failed', 'cancelled')),
  counted boolean NOT NULL DEFAULT true,
  reason text,
  episodes_total integer,
  episodes_done integer NOT NULL DEFAULT 0,
  run_dir text,
  created_at timestamptz NOT NULL DEFAULT now(),
  queued_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz
);
CREATE INDEX challenge_submissions_team
  ON robot_eval.challenge_submissions(team_id, phase, created_at);
CREATE INDEX challenge_submissions_state ON robot_eval.challenge_submissions(state);
CREATE TABLE robot_eval.challenge_results (
  submission_id uuid PRIMARY KEY REFERENCES robot_eval.challenge_submissions(id),
  complete boolean NOT NULL,
  summary jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE robot_eval.challenge_audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  event text NOT NULL,
  actor text NOT NULL,
  team_id uuid,
  submission_id uuid,
  remote text,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX challenge_audit_team ON robot_eval.challenge_audit(team_id, id);
CREATE FUNCTION robot_eval.challenge_audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log can only be added to';
END $$;
CREATE TRIGGER challenge_audit_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON robot_eval.challenge_audit
  FOR EACH STATEMENT EXECUTE FUNCTION robot_eval.challenge_audit_is_append_only();
CREATE TABLE robot_eval.challenge_secrets (
  name text PRIMARY KEY,
  secret bytea NOT NULL
);
`,
  },
];
