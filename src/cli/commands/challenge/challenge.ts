import { InvalidArgumentError } from "commander";
import { ConfigError } from "../../../core/errors.js";
import { loadChallenge } from "../../../server/challenge/load.js";
import { openChallengeDatabase } from "../../../server/challenge/store/database.js";
import type { AdminAction, ChallengeFlags } from "../../challenge/admin-context.js";
import { listPhases, showAudit } from "../../challenge/log.js";
import { movePhase } from "../../challenge/phases.js";
import {
  cancelSubmission,
  disqualify,
  listSubmissions,
  refund,
} from "../../challenge/submissions.js";
import {
  addTeam,
  listTeams,
  revokeTokens,
  rotateTokens,
  setDisabled,
} from "../../challenge/teams.js";
import { CliCommand } from "../../cli-command.js";
import { wholeNumber } from "../../options.js";
import { printResult, say } from "../../output.js";

/** The address for `worker --queue`. It contains the password, unless the challenge's file names it without one. */
const showDatabase: AdminAction = async ({ url, isOwn }) => {
  if (isOwn) {
    throw new ConfigError(
      "no_database",
      "the challenge's embedded PostgreSQL runs only while its server does",
      { hint: "start robot-eval serve with this file first; the address changes with each start" },
    );
  }
  return { document: { url }, text: url };
};

const ACTIONS: Readonly<Record<string, AdminAction>> = {
  "team add": addTeam,
  "team list": listTeams,
  "team rotate": rotateTokens,
  "team revoke": revokeTokens,
  "team disable": setDisabled(true),
  "team enable": setDisabled(false),
  "submissions list": listSubmissions,
  "submissions cancel": cancelSubmission,
  "submissions disqualify": disqualify,
  "submissions refund": refund,
  "phase list": listPhases,
  "phase open": movePhase("opens"),
  "phase close": movePhase("closes"),
  audit: showAudit,
  database: showDatabase,
};

export function challengeCommand(): CliCommand {
  return new CliCommand("challenge")
    .argument("<challenge>", "the challenge's file")
    .argument("<action...>", "action and the team, submission or phase it applies to")
    .option("--affiliation <text>", "with team add: where the team is from")
    .option("--label <text>", "with team add and rotate: what the token is for")
    .option("--expires <time>", "with team add and rotate: when the token expires", moment)
    .option("--reason <text>", "with submissions: the reason, shown to the team")
    .option("--team <name>", "with submissions list and audit: only this team")
    .option("--phase <name>", "with submissions list: only this phase")
    .option("--event <name>", "with audit: only this kind of event")
    .option(
      "--limit <n>",
      "with submissions list and audit: maximum number of rows (default 200)",
      wholeNumber(1),
    )
    .option("--json", "print one JSON document")
    .remarks(`
Actions:
  team add <name>, team list, team rotate|revoke|disable|enable <name>
  submissions list, submissions cancel|disqualify|refund <id>
  phase list, phase open|close <name>
  audit
  database, prints the address of the database for robot-eval worker --queue

A running server continues; it and this command share the database.

Examples:
  robot-eval challenge challenge.yaml team add "Red Robots" --affiliation "ETH Zürich"
  robot-eval challenge challenge.yaml submissions list --phase test
  robot-eval challenge challenge.yaml audit --event limit_hit`)
    .action(challenge);
}

async function challenge(
  file: string,
  words: readonly string[],
  flags: ChallengeFlags,
): Promise<void> {
  const [action, name] = actionOf(words);
  const loaded = loadChallenge(file);
  const database = await openChallengeDatabase(loaded, "command");
  try {
    const answer = await action({ loaded, ...database }, name, flags);
    printResult(flags.json, answer.document, () => answer.text);
    for (const note of answer.notes ?? []) say(note);
  } finally {
    await database.stop();
  }
}

function actionOf(words: readonly string[]): [AdminAction, string | undefined] {
  const [first = "", second = "", name, ...more] = words;
  const isWord = Object.hasOwn(ACTIONS, first);
  const found = isWord ? first : `${first} ${second}`;
  const action = Object.hasOwn(ACTIONS, found) ? ACTIONS[found] : undefined;
  const extra = isWord ? words.length > 1 : more.length > 0;
  if (action && !extra) return [action, name];
  throw new ConfigError(
    "unknown_order",
    action
      ? `"${words.join(" ")}" has more arguments than ${found} accepts`
      : `"${words.join(" ")}" is not an action`,
    {
      hint: action
        ? "put names with spaces in quotes"
        : `actions: ${Object.keys(ACTIONS).join(", ")}`,
    },
  );
}

function moment(text: string): Date {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError("expected a time such as 2027-01-31 or 2027-01-31T23:59:00Z.");
}
