import type { PlainError } from "../../core/plain-error.js";
import type { DatasetSource } from "../format.js";
import type { ReaderJob } from "./jobs.js";

/** The parts of a source that can be sent to another process. */
export interface PlainSource
  extends Pick<DatasetSource, "path" | "taskType" | "gtPath" | "partial"> {
  /** True if unreadable episodes are reported instead of ending the read. */
  readonly reportsBad: boolean;
}

export type ToReader =
  | {
      readonly type: "read";
      readonly job: ReaderJob;
      readonly source: PlainSource;
      /** Maximum bytes of one WebAssembly memory. */
      readonly wasmBytes: number;
    }
  /** One value has been consumed, so another may be sent. */
  | { readonly type: "more" };

export type FromReader =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "bad"; readonly error: PlainError }
  | { readonly type: "progress" }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly error: PlainError };

/** The number of values that may be sent before the first is consumed. */
export const SENT_AHEAD = 8;
