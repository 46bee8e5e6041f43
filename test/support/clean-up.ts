const tasks: (() => unknown)[] = [];

/**
 * Registers a callback for the end of every test file. A fixture that many files import uses this instead of
 * `afterAll`, which would hold for the first of the files that share its module.
 */
export function afterEachFile(task: () => unknown): void {
  tasks.push(task);
}

export async function cleanUp(): Promise<void> {
  for (const task of tasks.toReversed()) await task();
}
