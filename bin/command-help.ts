type Help = { summary: string; usage: string[]; environment?: string };

const database = "DATABASE_URL";

/** The help text of each command, and the list that `gatehouse --help` shows. */
export const commandHelp = {
  demo: {
    summary: "A sandbox cluster, database, recorder and web on this machine",
    usage: ["demo [--port N] [--data-dir DIR] [--speed N] [--seed N] [--load DIR] [--faults]"],
  },
  up: {
    summary: "Web and recorder on one node, for real clusters",
    usage: ["up --config FILE [--port N] [--host ADDRESS] [--data-dir DIR]"],
    environment: `GATEHOUSE_SECRET, ${database} (else an embedded database), DATABASE_MIGRATE_URL, DATABASE_RECORDER_URL, DATABASE_DIRECT_URL`,
  },
  web: {
    summary: "The web process alone; run any number of them",
    usage: ["web [--port N] [--host ADDRESS]"],
    environment: `GATEHOUSE_CONFIG, GATEHOUSE_SECRET, ${database}, DATABASE_DIRECT_URL`,
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
    summary: "Verifies the audit chain, in the database or in an export, and exports it",
    usage: ["audit verify [--file EXPORT] [--checkpoints FILE]", "audit export"],
    environment: database,
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
} as const satisfies Record<string, Help>;

export type CommandName = keyof typeof commandHelp;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandHelp, name);
}

export function formatCommandHelp(name: CommandName): string {
  const help: Help = commandHelp[name];
  const lines = [`${help.summary}.`, "", ...help.usage.map((usage) => `  gatehouse ${usage}`)];
  return [...lines, ...(help.environment === undefined ? [] : ["", `Environment: ${help.environment}`]), ""].join("\n");
}

export function formatOverview(): string {
  const names = Object.keys(commandHelp) as CommandName[];
  const lines = names.map((name) => `  ${name.padEnd(10)}${commandHelp[name].summary}`);
  return ["usage: gatehouse COMMAND [flags]; gatehouse COMMAND --help for details", "", ...lines, ""].join("\n");
}
