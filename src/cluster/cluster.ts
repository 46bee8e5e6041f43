import { BatchQueue } from "./batch-queue.js";
import { type Database, type DatabaseOptions, openDatabase } from "./database/connect.js";
import { migrate } from "./database/migrate.js";

/** A database that runs and results are in, and the queue of what is left to do. */
export interface Cluster {
  readonly database: Database;
  readonly queue: BatchQueue;
  close(): Promise<void>;
}

/** Connects, and brings the database's schema to what this program knows. */
export async function openCluster(url: string, options: DatabaseOptions = {}): Promise<Cluster> {
  const database = await openDatabase(url, options);
  try {
    await migrate(database);
    const queue = await BatchQueue.open(database);
    return { database, queue, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}
