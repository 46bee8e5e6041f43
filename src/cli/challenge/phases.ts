import { readFile, writeFile } from "node:fs/promises";
import { parseDocument } from "yaml";
import { ConfigError } from "../../core/errors.js";
import { phaseState } from "../../server/challenge/config.js";
import { parseChallenge } from "../../server/challenge/load.js";
import { type AdminAction, needed, writeAudit } from "./admin-context.js";

/** Opens or closes a phase now, by editing the challenge file, which every server reads. Keeps comments and order. */
export function movePhase(to: "opens" | "closes"): AdminAction {
  return async ({ loaded, store }, name) => {
    const wanted = needed(name, "the phase's name");
    const index = loaded.phases.findIndex(({ config }) => config.name === wanted);
    const phase = loaded.phases[index];
    if (!phase) {
      throw new ConfigError("unknown_phase", `unknown phase "${wanted}"`, {
        hint: `known: ${loaded.phases.map(({ config }) => config.name).join(", ")}`,
      });
    }
    const now = new Date();
    const state = phaseState(phase.config, now);
    if (state === (to === "opens" ? "open" : "closed")) {
      throw new ConfigError("wrong_state", `the phase is already ${state}`, { where: wanted });
    }
    const at = `${now.toISOString().slice(0, 19)}Z`;
    const document = parseDocument(await readFile(loaded.file, "utf8"));
    const key = (what: string) => ["phases", index, what];
    if (to === "opens" && state === "closed") document.deleteIn(key("closes"));
    else document.setIn(key(to), at);
    // To close a phase that has not opened, remove its opening time.
    if (to === "closes" && state === "before") document.deleteIn(key("opens"));
    const text = String(document);
    parseChallenge(text, loaded.file);
    await writeFile(loaded.file, text);
    const action = to === "opens" ? "phase open" : "phase close";
    await writeAudit(store, action, { phase: wanted, at });
    return {
      document: { phase: wanted, state: to === "opens" ? "open" : "closed", at },
      text: `${wanted} is ${to === "opens" ? "open" : "closed"}`,
      notes: [
        `written into ${loaded.file}; send SIGHUP to a running server, or restart it, to apply the change`,
      ],
    };
  };
}
