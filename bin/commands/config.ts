import { readEnvironment } from "#lib/server/config/environment.ts";
import { loadConfig } from "#lib/server/config/load-config.ts";
import { ConfigError } from "#lib/server/config/parse-config.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";

/** `gatehouse config check [--config FILE]`: says `ok FILE`, or every problem with its line and column. */
export async function runConfig([subcommand, ...args]: string[]): Promise<number> {
  if (subcommand !== "check") throw new UsageError("config knows one command: gatehouse config check [--config FILE]");
  const flags = parseFlags(args, { config: { type: "string" } });
  const file = flags.config ?? readEnvironment().configFile;
  if (file === undefined) throw new CommandError("no config file: say --config FILE or set GATEHOUSE_CONFIG");
  try {
    await loadConfig({ file, now: new Date() });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const { line, column, path, message } of error.problems) {
      process.stderr.write(`gatehouse: ${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}\n`);
    }
    return 1;
  }
  process.stdout.write(`ok ${file}\n`);
  return 0;
}
