import { chmodSync } from "node:fs";
import { afterAll } from "vitest";
import { type Cluster, openCluster } from "../../src/cluster/cluster.js";
import { type EmbeddedDatabase, startEmbedded } from "../../src/cluster/database/embedded.js";
import { temporaryFolder } from "./cli.js";

/** A PostgreSQL server for the tests of one file. */
export interface TestServer {
  readonly url: string;
  /** Environment variables for cluster commands. */
  cluster(): Promise<Cluster>;
  /** Restarts the server at the same address. @param meanwhile called while it is stopped */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>;
}

export async function startPostgres(): Promise<TestServer> {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  // Durability is not tested here, so fsync is off to save the shared disk.
  const settings = { fsync: "off" };
  let server: EmbeddedDatabase = await startEmbedded(folder, { settings });
  const clusters: Cluster[] = [];
  afterAll(async () => {
    for (const cluster of clusters) await cluster.close();
    await server.stop();
  });
  return {
    url: server.url,
    cluster: async () => {
      const cluster = await openCluster(server.url);
      clusters.push(cluster);
      return cluster;
    },
    restart: async (meanwhile) => {
      const { port } = server;
      await server.stop();
      try {
        await meanwhile?.();
      } finally {
        server = await startEmbedded(folder, { port, settings });
      }
    },
  };
}
