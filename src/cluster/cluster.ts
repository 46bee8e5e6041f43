import { BatchQueue } from "./batch-queue.js";
import { type Database, type DatabaseOptions, openDatabase } from "./database/connect.js";
import { migrate } from "./database/migrate.js";

/** The database with runs and results, and the queue of unfinished batches. */
export interface Cluster {
  readonly database: Database;
  readonly queue: BatchQueue;
  close(): Promise<void>;
}

/** Connects and migrates the database schema. */
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
