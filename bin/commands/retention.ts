import { randomUUID } from "node:crypto";
import { readConfigTrouble } from "#lib/server/platform/config/config-events.ts";
import { readEnvironment } from "#lib/server/platform/config/environment.ts";
import { loadConfig } from "#lib/server/platform/config/load-config.ts";
import type { RetentionPlan } from "#lib/server/recording/retention/plan-retention.ts";
import {
  describeCounts,
  previewRetention,
  runRetention,
  sumByTable,
} from "#lib/server/recording/retention/run-retention.ts";
import { isBlank } from "#lib/util/text.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";
import { withDatabase } from "../with-database.ts";

/**
 * Runs `gatehouse retention [--dry-run] [--override --reason TEXT] [--config FILE]`: deletes by age, as the recorder
 * does once a day. Prints the rows to delete by table and month; exit status 1 if an obstacle prevents it.
 */
export async function runRetentionCommand(args: string[]): Promise<number> {
  const flags = parseFlags(args, {
    "dry-run": { type: "boolean" },
    override: { type: "boolean" },
    reason: { type: "string" },
    config: { type: "string" },
  });
  const reason = isBlank(flags.reason ?? "") ? "" : (flags.reason ?? "").trim();
  if (flags.override === true && reason === "") throw new UsageError("--override needs --reason TEXT: it is audited");
  if (flags.override !== true && flags.reason !== undefined) throw new UsageError("--reason goes with --override");
  const file = flags.config ?? readEnvironment().configFile;
  if (file === undefined) throw new CommandError("no config file: pass --config FILE or set GATEHOUSE_CONFIG");
  const { config } = await loadConfig({ file, now: new Date() });
  return withDatabase(async (pool) => {
    const input = { pool, config, configTrouble: await readConfigTrouble(pool) };
    if (flags["dry-run"] === true) {
      const { plan, obstacles } = await previewRetention(input);
      printPlan(plan);
      for (const { text } of obstacles) process.stdout.write(`refused: ${text}\n`);
      return obstacles.length === 0 ? 0 : 1;
    }
    const holder = `command/${process.pid}/${randomUUID()}`;
    const result = await runRetention({
      ...input,
      holder,
      ...(flags.override === true ? { override: { reason } } : {}),
    });
    if (result.outcome === "busy") throw new CommandError("a recorder or another command is deleting at the moment");
    printPlan(result.plan);
    if (result.outcome === "refused") {
      const texts = result.obstacles.map(({ text }) => text).join("; ");
      throw new CommandError(`nothing was deleted: ${texts}; --override --reason TEXT deletes anyway`);
    }
    process.stdout.write(`deleted ${result.outcome === "deleted" ? describeCounts(result.deleted) : "nothing"}\n`);
    return 0;
  });
}

function printPlan(plan: RetentionPlan): void {
  for (const [table, bound] of Object.entries(plan.bounds))
    process.stdout.write(`${table}: ${sumByTable(plan)[table] ?? 0} rows from before ${bound.toISOString()}\n`);
  for (const { table, month, rows } of plan.due) process.stdout.write(`  ${table} ${month}: ${rows}\n`);
}
