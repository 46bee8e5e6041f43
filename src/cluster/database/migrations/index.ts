import { CHALLENGE } from "./challenge.js";
import { CLUSTER } from "./cluster.js";

/** One step of the schema. It is never changed once a database may have it: what follows is a new one. */
export interface Migration {
  /** Order within the list; each part of the program has numbers of its own. */
  readonly version: number;
  /** Its identity: what the database remembers. */
  readonly name: string;
  readonly sql: string;
}

/** All of them, in the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [...CLUSTER, ...CHALLENGE].sort(
  (a, b) => a.version - b.version,
);
