/**
 * What a policy sees in one step, by sensor name. Numbers and text as they are; images as typed
 * arrays inside the process, encoded only where they leave it.
 */
export type Observation = Readonly<Record<string, unknown>>;
