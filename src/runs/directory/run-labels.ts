import type { RunLabels } from "../../core/interfaces/result.js";

/** The labels of a document, without those that it does not have. */
export function labelsOf({ name, tags, policies }: RunLabels = {}): RunLabels {
  return {
    ...(name === undefined ? {} : { name }),
    ...(isEmpty(tags) ? {} : { tags }),
    ...(isEmpty(policies) ? {} : { policies }),
  };
}

function isEmpty(record: object | undefined): boolean {
  return Object.keys(record ?? {}).length === 0;
}
