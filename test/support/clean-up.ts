const tasks: (() => unknown)[] = [];

/**
 * Has something done whenever a test file is through. A fixture that many files import says so here and not with
 * `afterAll`, which would hold for the first of the files that share its module.
 */
export function afterEachFile(task: () => unknown): void {
  tasks.push(task);
}

export async function cleanUp(): Promise<void> {
  for (const task of tasks.toReversed()) await task();
}
