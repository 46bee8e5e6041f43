import type { Migration } from "./index.js";

/**
 * Tables of the cluster. Documents have the type `json`, not `jsonb`, which keeps the order of keys as in the
 * files of a local run. There are no foreign keys to `runs`: every insert of a result would lock the run's row.
 */
export const CLUSTER: readonly Migration[] = [
  {
    version: 1,
    name: "cluster_1",
    sql: `
CREATE TABLE robot_eval.runs (
  run_id text PRIMARY KEY,
  -- Names the run's pg-boss queue.
  no bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  status text NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'paused', 'done', 'cancelled', 'failed')),
  priority integer NOT NULL DEFAULT 0,
  -- Of the program: workers of another leave the run alone.
  version text NOT NULL,
  agent text NOT NULL,
  setup json NOT NULL,
  info json NOT NULL,
  n_jobs integer NOT NULL,
  batch integer NOT NULL,
  -- Where trajectories and films are; null is the table files.
  files_dir text,
  -- Tasks that stopped early.
  dropped text[] NOT NULL DEFAULT '{}',
  warnings text[] NOT NULL DEFAULT '{}',
  problem text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz
);
CREATE INDEX runs_open ON robot_eval.runs (priority DESC, no)
  WHERE status IN ('queued', 'running', 'paused');

CREATE TABLE robot_eval.episodes (
  run_id text NOT NULL,
  no integer NOT NULL,
  task text NOT NULL,
  episode json NOT NULL,
  PRIMARY KEY (run_id, no)
);

CREATE TABLE robot_eval.results (
  run_id text NOT NULL,
  no integer NOT NULL,
  repeat integer NOT NULL,
  attempt integer NOT NULL,
  line json NOT NULL,
  faults json NOT NULL,
  worker text NOT NULL,
  -- Readers that want only what is new go by this: docs/cluster.md.
  xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  recorded_at timestamptz NOT NULL DEFAULT now(),
  -- This is what makes a result count once.
  PRIMARY KEY (run_id, no, repeat)
);
CREATE INDEX results_by_xact ON robot_eval.results (run_id, xact);

-- Invalid ones that were tried again.
CREATE TABLE robot_eval.set_aside (
  LIKE robot_eval.results INCLUDING DEFAULTS,
  PRIMARY KEY (run_id, no, repeat, attempt)
);

CREATE TABLE robot_eval.files (
  run_id text NOT NULL,
  no integer NOT NULL,
  repeat integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('trajectory', 'film')),
  -- What else is known of it: a film's extension.
  about json NOT NULL,
  path text,
  bytes bytea,
  CHECK ((path IS NULL) <> (bytes IS NULL)),
  PRIMARY KEY (run_id, no, repeat, kind)
);
-- They are packed already.
ALTER TABLE robot_eval.files ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE robot_eval.workers (
  worker text PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  seats integer NOT NULL,
  agent text,
  versions json NOT NULL,
  -- Unseen for this long it counts as dead.
  lost_after interval NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  last_seen timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz,
  run_id text,
  under_way integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0
);

-- Which worker has which batch: the pg-boss job's id.
CREATE TABLE robot_eval.held (
  job uuid PRIMARY KEY,
  run_id text NOT NULL,
  worker text NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX held_by_run ON robot_eval.held (run_id);
CREATE INDEX held_by_worker ON robot_eval.held (worker);

-- Workers that could not make a run ready, and why.
CREATE TABLE robot_eval.refusals (
  run_id text NOT NULL,
  worker text NOT NULL,
  problem text NOT NULL,
  refused_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refusals_by_run ON robot_eval.refusals (run_id);

-- What any one of us does every so often, for all.
CREATE TABLE robot_eval.chores (
  chore text PRIMARY KEY,
  done_at timestamptz NOT NULL
);
INSERT INTO robot_eval.chores (chore, done_at) VALUES ('sweep', now()), ('maintain', now());
`,
  },
];
