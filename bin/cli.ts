#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import { setSourceMapsSupport } from "node:module";
import { join } from "node:path";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { outliveFullDisk } from "#lib/util/outlive-full-disk.ts";
import { cleanText } from "./clean-text.ts";
import { type CommandName, formatCommandHelp, formatOverview, isCommandName } from "./command-help.ts";
import { CommandError, isCommandError, isUsageError, UsageError } from "./command-line.ts";
import { programName } from "./program-name.ts";
import { isActionWord } from "./remote/action-words.ts";

type Command = (args: string[]) => Promise<number>;

/** Commands are loaded on demand: `up` must not load the demo, nor a token command the launcher. */
const commands: Record<CommandName, () => Promise<Command>> = {
  demo: async () => (await import("./commands/demo.ts")).runDemo,
  up: async () => (await import("./commands/up.ts")).runUp,
  web: async () => (await import("./commands/web.ts")).runWeb,
  recorder: async () => (await import("./commands/recorder.ts")).runRecorderCommand,
  migrate: async () => (await import("./commands/migrate.ts")).runMigrate,
  backup: async () => (await import("./commands/backup.ts")).runBackup,
  restore: async () => (await import("./commands/restore.ts")).runRestore,
  config: async () => (await import("./commands/config.ts")).runConfig,
  token: async () => (await import("./commands/token.ts")).runToken,
  audit: async () => (await import("./commands/audit.ts")).runAudit,
  retention: async () => (await import("./commands/retention.ts")).runRetentionCommand,
  doctor: async () => (await import("./commands/doctor.ts")).runDoctor,
  login: async () => (await import("./commands/login.ts")).runLogin,
  logout: async () => (await import("./commands/logout.ts")).runLogout,
  rollouts: async () => (await import("./commands/rollouts.ts")).runRollouts,
  inbox: async () => (await import("./commands/inbox.ts")).runInbox,
  why: async () => (await import("./commands/why.ts")).runWhy,
  history: async () => (await import("./commands/history.ts")).runHistory,
  wait: async () => (await import("./commands/wait.ts")).runWait,
  gate: async () => (await import("./commands/gate.ts")).runGate,
  act: async () => (await import("./commands/act.ts")).runAct,
  scheduled: async () => (await import("./commands/scheduled.ts")).runScheduled,
  freeze: async () => (await import("./commands/freeze.ts")).runFreeze,
  mcp: async () => (await import("./commands/mcp.ts")).runMcp,
  completion: async () => (await import("./commands/completion.ts")).runCompletion,
};

const usage = `usage: ${programName} ${Object.keys(commands).join(" | ")}`;

/** These start the demo, or build and run everything on one node with its own PostgreSQL. */
const isCloneCommand = (name: string) => name === "demo" || name === "up";

const asksForHelp = (word: string) => word === "--help" || word === "-h";

// The bundle names its sources in stack traces. Commands load after this, and with them their maps.
setSourceMapsSupport(true);
outliveFullDisk([process.stdout, process.stderr]);

async function main([name, ...args]: string[]): Promise<number> {
  if (name === "help" || (name !== undefined && asksForHelp(name))) return say(formatOverview());
  if (name === "--version") return say(`${readVersion()}\n`);
  if (name === undefined) throw new UsageError(`no command given; ${usage}`);
  // `gatehouse abort NAME` is `gatehouse act abort NAME`.
  if (!isCommandName(name) && isActionWord(name))
    return main(["act", ...(args.some(asksForHelp) ? args : [name, ...args])]);
  if (!isCommandName(name)) throw new UsageError(`unknown command ${JSON.stringify(name)}; ${usage}`);
  if (args.some(asksForHelp)) return say(formatCommandHelp(name));
  if (isCloneCommand(name) && !existsSync(join(projectRoot, "bin/gatehouse.mjs")))
    throw new CommandError(`${name} is not in this package: run it from a clone of the repository`);
  return (await commands[name]())(args);
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")).version;
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function exitStatusOf(error: unknown): number {
  if (isUsageError(error)) return 2;
  return isCommandError(error) ? error.exitStatus : 1;
}

/** The words of an error may be a server's, a cluster's or a file's. */
function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = message.split("\n").map((line) => line.trim());
  return cleanText(lines.filter((line) => line !== "").join(" "));
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`gatehouse: ${oneLine(error)}\n`);
  process.exitCode = exitStatusOf(error);
}
// Pools and pipes that a command left open must not keep the process alive; its output is flushed first.
process.stdout.write("", () => process.exit());
