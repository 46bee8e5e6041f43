import { Command, InvalidArgumentError } from "commander";
import { ConfigError } from "../../core/errors.js";
import { openChallengeDatabase } from "../../server/challenge/database.js";
import { loadChallenge } from "../../server/challenge/load.js";
import type { Answer, ChallengeFlags, Desk } from "../challenge/desk.js";
import { listPhases, showAudit } from "../challenge/log.js";
import { movePhase } from "../challenge/phases.js";
import { cancelSubmission, disqualify, listSubmissions, refund } from "../challenge/submissions.js";
import { addTeam, listTeams, revokeTokens, rotateTokens, setDisabled } from "../challenge/teams.js";
import { wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";

type Order = (desk: Desk, name: string | undefined, flags: ChallengeFlags) => Promise<Answer>;

const ORDERS: Readonly<Record<string, Order>> = {
  "team add": addTeam,
  "team list": listTeams,
  "team rotate": rotateTokens,
  "team revoke": revokeTokens,
  "team disable": (desk, name) => setDisabled(desk, name, true),
  "team enable": (desk, name) => setDisabled(desk, name, false),
  "submissions list": (desk, _, flags) => listSubmissions(desk, flags),
  "submissions cancel": cancelSubmission,
  "submissions disqualify": disqualify,
  "submissions refund": refund,
  "phase list": listPhases,
  "phase open": (desk, name) => movePhase(desk, name, "opens"),
  "phase close": (desk, name) => movePhase(desk, name, "closes"),
  audit: (desk, _, flags) => showAudit(desk, flags),
};

export function challengeCommand(): Command {
  return new Command("challenge")
    .description("look after a challenge: teams and their tokens, submissions, phases, audit log")
    .argument("<challenge>", "the challenge's file")
    .argument("<order...>", "what to do, and with which team, submission or phase")
    .option("--affiliation <text>", "with team add: where the team is from")
    .option("--label <text>", "with team add and rotate: what the token is for")
    .option("--expires <time>", "with team add and rotate: the token's last moment", moment)
    .option("--reason <text>", "with submissions: why; the team reads it")
    .option("--team <name>", "with submissions list and audit: of this team alone")
    .option("--phase <name>", "with submissions list: of this phase alone")
    .option("--event <name>", "with audit: of this kind alone")
    .option(
      "--limit <n>",
      "with submissions list and audit: how many, 200 if absent",
      wholeNumber(1),
    )
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Orders:
  team add <name>, team list, team rotate|revoke|disable|enable <name>
  submissions list, submissions cancel|disqualify|refund <id>
  phase list, phase open|close <name>
  audit

A server that is running goes on; it and this command share the database.

Examples:
  robot-eval challenge challenge.yaml team add "Red Robots" --affiliation "ETH Zürich"
  robot-eval challenge challenge.yaml submissions list --phase test
  robot-eval challenge challenge.yaml audit --event limit_hit`,
    )
    .action(challenge);
}

async function challenge(
  file: string,
  words: readonly string[],
  flags: ChallengeFlags,
): Promise<void> {
  const [order, name] = orderOf(words);
  const loaded = loadChallenge(file);
  const database = await openChallengeDatabase(loaded, "command");
  try {
    const {
      document,
      text,
      notes = [],
    } = await order({ loaded, store: database.store }, name, flags);
    if (flags.json) printJson(document);
    else printData(text);
    for (const note of notes) say(note);
  } finally {
    await database.stop();
  }
}

function orderOf(words: readonly string[]): [Order, string | undefined] {
  const [first = "", second = "", name, ...more] = words;
  const found = first === "audit" ? first : `${first} ${second}`;
  const order = Object.hasOwn(ORDERS, found) ? ORDERS[found] : undefined;
  const extra = first === "audit" ? words.length > 1 : more.length > 0;
  if (order && !extra) return [order, name];
  throw new ConfigError(
    "unknown_order",
    order ? `"${words.join(" ")}" is more than ${found} takes` : `"${words.join(" ")}" is no order`,
    {
      hint: order ? "put names with spaces in quotes" : `orders: ${Object.keys(ORDERS).join(", ")}`,
    },
  );
}

function moment(text: string): Date {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError("expected a time such as 2027-01-31 or 2027-01-31T23:59:00Z.");
}
