import { programName } from "./program-name.ts";
import { actionWords } from "./remote/action-words.ts";

type Help = { summary: string; usage: string[]; notes?: string; environment?: string };

const database = "DATABASE_URL";
const remote = "GATEHOUSE_URL and GATEHOUSE_TOKEN, else what login stored";
const named = "NAME is NAME, NAMESPACE/NAME or CLUSTER/NAMESPACE/KIND/NAME.";
const summarized = "--summary appends the outcome to FILE in Markdown.";

/** The help text of each command, and the list that `gatehouse --help` shows. */
export const commandHelp = {
  demo: {
    summary: "A sandbox cluster, database, recorder and web on this machine",
    usage: ["demo [--port N] [--data-dir DIR] [--speed N] [--seed N] [--load DIR] [--faults] [--no-history]"],
  },
  up: {
    summary: "Web and recorder on one node, for real clusters",
    usage: ["up --config FILE [--port N] [--host ADDRESS] [--data-dir DIR]"],
    environment: `GATEHOUSE_SECRET, ${database} (else an embedded database), DATABASE_MIGRATE_URL, DATABASE_RECORDER_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL`,
  },
  web: {
    summary: "The web process alone; run any number of them",
    usage: ["web [--port N] [--host ADDRESS]"],
    environment: `GATEHOUSE_CONFIG, GATEHOUSE_SECRET, ${database}, DATABASE_DIRECT_URL, DATABASE_READ_URL`,
  },
  recorder: {
    summary: "The recorder alone",
    usage: ["recorder"],
    environment: `GATEHOUSE_CONFIG, ${database}, DATABASE_DIRECT_URL`,
  },
  migrate: {
    summary: "Brings the database to this version's schema",
    usage: ["migrate"],
    environment: `DATABASE_MIGRATE_URL, else ${database}`,
  },
  backup: {
    summary: "Copies the database to a file, by pg_dump",
    usage: ["backup --file FILE [--pg-dump PROGRAM]"],
    environment: `DATABASE_MIGRATE_URL, else ${database}`,
  },
  restore: {
    summary: "Brings a backup into an empty database, by pg_restore, and verifies its audit chain",
    usage: ["restore --file FILE [--pg-restore PROGRAM]"],
    environment: `DATABASE_MIGRATE_URL, else ${database}`,
  },
  config: {
    summary: "Checks a config file: every problem with its line and column",
    usage: ["config check [--config FILE]"],
    environment: "GATEHOUSE_CONFIG",
  },
  token: {
    summary: "Creates, lists and revokes API tokens",
    usage: [
      "token create --user SUBJECT --name TEXT --role viewer|operator|admin [--issuer URL] [--groups A,B] [--expires-in-days N] [--restricted]",
      "token list",
      "token revoke --id ID",
    ],
    environment: database,
  },
  audit: {
    summary: "Verifies the audit chain, in the database or in an export, exports it, and lists its entries",
    usage: [
      "audit verify [--file EXPORT] [--checkpoints FILE]",
      "audit export",
      "audit list [--namespace N] [--name NAME] [--actor PERSON] [--action ACTION] [--query TEXT] [--limit N] [--output table|json|yaml]",
    ],
    environment: `${database}; list: ${remote}`,
  },
  retention: {
    summary: "Deletes expired rows, as the recorder does daily, or lists what it would delete",
    usage: ["retention [--dry-run] [--override --reason TEXT] [--config FILE]"],
    environment: `GATEHOUSE_CONFIG, ${database} (the recorder's role, or the owner)`,
  },
  doctor: {
    summary: "Checks node, build, port, config, clusters and database, one line each",
    usage: ["doctor [--config FILE] [--port N] [--data-dir DIR]"],
    environment: `GATEHOUSE_CONFIG, ${database}`,
  },
  login: {
    summary: "Signs in to a Gatehouse through a browser or with an API token, for the commands below",
    usage: ["login [URL] [--url URL] [--device] [--with-token]"],
    notes: "In a terminal it shows a code to approve in a browser; otherwise, and with --with-token, it reads a token.",
  },
  logout: { summary: "Forgets the token that login stored", usage: ["logout"] },
  rollouts: {
    summary: "Lists rollouts, shows one, or prints each that changes",
    usage: [
      "rollouts list [--cluster C] [--namespace N] [--team TEAM] [--set SET] [--label NAME=VALUE] [--phase P] [--attention any|person|REASON] [--version TEXT] [--query TEXT] [--output table|json|yaml]",
      "rollouts get NAME [--output table|json|yaml]",
      "rollouts watch [the flags of list]",
    ],
    notes: named,
    environment: remote,
  },
  inbox: {
    summary: "Lists the rollouts that wait for a person, the most urgent first, and requests for approval",
    usage: [
      "inbox [--cluster C] [--attention REASON] [--team TEAM] [--set SET] [--label NAME=VALUE] [--mine] [--output table|json|yaml]",
    ],
    environment: remote,
  },
  why: {
    summary: "Shows why a rollout waits, with its measurements and the possible actions",
    usage: ["why NAME [--output table|json|yaml]"],
    notes: named,
    environment: remote,
  },
  history: {
    summary: "Lists the releases of a rollout, the newest first",
    usage: ["history NAME [--limit N] [--output table|json|yaml]"],
    notes: named,
    environment: remote,
  },
  wait: {
    summary: "Waits for a release: exit status 0 reached, 3 ended otherwise, 4 timeout",
    usage: ["wait NAME --for promoted|paused|aborted|person [--version TEXT] [--timeout 30m] [--summary FILE]"],
    notes: `${named} ${summarized}`,
    environment: remote,
  },
  gate: {
    summary: "Says whether a new version may be released: exit status 0 open, 3 closed, 4 not open within --timeout",
    usage: ["gate NAME [--timeout 30m] [--summary FILE]"],
    notes: `${named} ${summarized}`,
    environment: remote,
  },
  act: {
    summary: "Acts on a rollout, with the guards of the pages; the word act may be left out",
    usage: [
      "act ACTION NAME [--reason TEXT] [--yes] [--to-revision N] [--container C --image I] [--approval ID] [--break-glass] [--at TIME] [--timeout 60s] [--output table|json|yaml]",
      "act ACTION --version VERSION [--repository IMAGE] [--cluster PATTERN] [--namespace PATTERN] [--reason TEXT] [--yes] [--timeout 60s] [--output table|json|yaml]",
    ],
    notes: `${named} With --version it acts on every rollout of that version; without --yes it only lists them.\nTIME is HH:MM or an ISO time with its zone, at most 7 days ahead.\nACTION is one of: ${actionWords.join(" ")}.`,
    environment: remote,
  },
  scheduled: {
    summary: "Lists actions that are scheduled for later, and withdraws one",
    usage: [
      "scheduled list [--cluster C] [--namespace N] [--name NAME] [--output table|json|yaml]",
      "scheduled withdraw ID [--output table|json|yaml]",
    ],
    notes: "The list also has those that were not done in the last day, with the reason.",
    environment: remote,
  },
  freeze: {
    summary: "Stops what advances rollouts until a time; lists, extends and ends such freezes",
    usage: [
      "freeze start --for 4h --reason TEXT [--cluster PATTERN] [--namespace PATTERN] [--rollout PATTERN] [--output table|json|yaml]",
      "freeze list [--output table|json|yaml]",
      "freeze extend ID --for 4h --reason TEXT [--output table|json|yaml]",
      "freeze end ID --reason TEXT [--output table|json|yaml]",
    ],
    notes:
      "A pattern has * and ?; a flag may be repeated. Without patterns it is everything. Abort and pause still work.",
    environment: remote,
  },
  mcp: {
    summary: "Serves an agent over standard input and output, by the Model Context Protocol",
    usage: ["mcp"],
    environment: remote,
  },
  completion: { summary: "Prints a completion script for a shell", usage: ["completion bash|zsh|fish"] },
} as const satisfies Record<string, Help>;

export type CommandName = keyof typeof commandHelp;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandHelp, name);
}

export function formatCommandHelp(name: CommandName): string {
  const help: Help = commandHelp[name];
  const lines = [`${help.summary}.`, "", ...help.usage.map((usage) => `  ${programName} ${usage}`)];
  const hasOutput = help.usage.some((usage) => usage.includes("--output"));
  const noted = [
    ...(help.notes === undefined ? [] : [help.notes]),
    ...(hasOutput ? ["-o is short for --output."] : []),
  ];
  const notes = noted.length === 0 ? [] : ["", ...noted];
  return [
    ...lines,
    ...notes,
    ...(help.environment === undefined ? [] : ["", `Environment: ${help.environment}`]),
    "",
  ].join("\n");
}

export function formatOverview(): string {
  const names = Object.keys(commandHelp) as CommandName[];
  const lines = names.map((name) => `  ${name.padEnd(12)}${commandHelp[name].summary}`);
  return [`usage: ${programName} COMMAND [flags]; ${programName} COMMAND --help for details`, "", ...lines, ""].join(
    "\n",
  );
}
