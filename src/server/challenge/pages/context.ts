import type { PhaseDocument } from "../http/documents.js";
import type { Language, Translate } from "./messages/index.js";

/** Data for every page. */
export interface PageContext {
  readonly t: Translate;
  readonly language: Language;
  /** The reader's choice; undefined follows the system. */
  readonly theme: "light" | "dark" | undefined;
  readonly challenge: string;
  /** The challenge's description; may be empty. */
  readonly description: string;
  readonly phases: readonly PhaseDocument[];
  /** The page's path, for links back to it. */
  readonly path: string;
  /** URL for agents: `wss://host/agent`. */
  readonly agentAddress: string;
  /** Name of the signed-in team. */
  readonly team: string | undefined;
}
