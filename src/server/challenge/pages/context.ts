import type { PhaseDocument } from "../http/documents.js";
import type { Language, Translate } from "./messages/index.js";

/** What every page is made with. */
export interface PageContext {
  readonly t: Translate;
  readonly language: Language;
  /** The reader's choice; the system's where there is none. */
  readonly theme: "light" | "dark" | undefined;
  readonly challenge: string;
  /** What it is about, in a sentence or two; may be empty. */
  readonly description: string;
  readonly phases: readonly PhaseDocument[];
  /** Of the page, for links that come back to it. */
  readonly path: string;
  /** Where agents dial: `wss://host/agent`. */
  readonly agentAddress: string;
  /** The team that is signed in. */
  readonly team: string | undefined;
}
