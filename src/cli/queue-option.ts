import { Option } from "commander";
import { type Cluster, openCluster } from "../cluster/cluster.js";

/** Connections of a command that only asks the database; a worker has its own number. */
const CONNECTIONS = 2;

/** What the first Ctrl-C does to a command that waits for a run. */
export const DETACHING = "the run continues without this command; writing the available results";

/** The cluster's database. An environment variable is not visible to other users of the machine. */
export function queueOption(): Option {
  return new Option("--queue <url>", "the cluster's database: postgres://user@host:5432/database")
    .env("ROBOT_EVAL_QUEUE")
    .makeOptionMandatory();
}

/** Connects to the cluster's database while `use` runs. */
export async function withCluster<T>(
  queue: string,
  use: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const cluster = await openCluster(queue, { connections: CONNECTIONS });
  try {
    return await use(cluster);
  } finally {
    await cluster.close();
  }
}
