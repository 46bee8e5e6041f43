import { Option } from "commander";

/** How many connections a command needs that asks and leaves. */
export const FEW = { connections: 2 } as const;

/** What Ctrl-C does to one who waits for a run. */
export const DETACHING = "the run goes on without us; writing what is there";

/** The cluster's database. What stands in the environment is not seen by other users of the machine. */
export function queueOption(): Option {
  return new Option("--queue <url>", "the cluster's database: postgres://user@host:5432/database")
    .env("ROBOT_EVAL_QUEUE")
    .makeOptionMandatory();
}
