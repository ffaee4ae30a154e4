// Freezes what upgrades from a release are tested with: its migrations, and the rows of a database that it wrote.
// node scripts/freeze-release.mjs --url OWNER_URL --out test/fixtures/releases/VERSION --namespaces A,B
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";

/** Never in a fixture: what opens doors, and what means nothing elsewhere. */
const leftOut = [
  "_prisma_migrations",
  "api_token",
  "change_log",
  "change_place",
  "device_request",
  "hook_credential",
  "user_session",
];

/** Of tables that belong to no rollout, and of messages, so many rows are kept: a fixture is small. */
const mostOthers = 40;

const text = { type: "string" };
const { values } = parseArgs({ options: { url: text, out: text, namespaces: text } });
const { url, out, namespaces } = values;
if (url === undefined || out === undefined || namespaces === undefined) {
  process.stderr.write("gatehouse: give --url, --out and --namespaces\n");
  process.exit(2);
}
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
await client.query("SET LOCAL TimeZone = 'UTC'");
mkdirSync(out, { recursive: true });
const migrations = await client.query(
  "SELECT migration_name AS name, checksum FROM _prisma_migrations ORDER BY migration_name",
);
writeFileSync(join(out, "migrations.json"), `${JSON.stringify(migrations.rows, null, 2)}\n`);
writeFileSync(join(out, "rows.jsonl"), await readRows());
await client.end();

/** One line for each row, `[table, row]`: PostgreSQL's own text of it, which `('...'::"table").*` reads again. */
async function readRows() {
  const { rows: tables } = await client.query(
    `SELECT c.relname AS name, array_agg(a.attname::text) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND c.relname <> ALL($1) GROUP BY 1 ORDER BY 1`,
    [leftOut],
  );
  let lines = "";
  for (const { name, columns } of tables) {
    const { rows } = await client.query(
      `SELECT ROW(t.*)::text AS row FROM ${client.escapeIdentifier(name)} AS t WHERE ${conditionOf(name, columns)}`,
      [namespaces.split(",")],
    );
    const most =
      name !== "controller_message" && columns.some((column) => /^(rollout_id|run_uid|seq)$/.test(column))
        ? rows.length
        : mostOthers;
    for (const { row } of rows.slice(0, most)) lines += `${JSON.stringify([name, row])}\n`;
  }
  return lines;
}

/** The audit log is kept whole: it is a chain. */
function conditionOf(name, columns) {
  const ofRollouts = "IN (SELECT id FROM rollout WHERE namespace = ANY($1))";
  if (name === "audit_entry") return "$1::text[] IS NOT NULL";
  if (columns.includes("rollout_id")) return `t.rollout_id ${ofRollouts}`;
  if (columns.includes("run_uid")) return `t.run_uid IN (SELECT uid FROM analysis_run WHERE rollout_id ${ofRollouts})`;
  if (columns.includes("namespace")) return "t.namespace = ANY($1) OR t.namespace IS NULL OR t.namespace = ''";
  return "$1::text[] IS NOT NULL";
}
