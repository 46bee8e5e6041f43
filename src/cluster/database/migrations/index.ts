import { CHALLENGE } from "./challenge.js";
import { CLUSTER } from "./cluster.js";

/** One change of the schema. Never edit a released migration; add a new one. */
export interface Migration {
  /** Order within the list; cluster and challenge use separate ranges. */
  readonly version: number;
  /** Recorded in the table `migrations`. */
  readonly name: string;
  readonly sql: string;
}

/** All migrations, in the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [...CLUSTER, ...CHALLENGE].sort(
  (a, b) => a.version - b.version,
);
