import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/**
 * How far each table that grows with clusters and time could be spread over several servers by rollout. A new table has
 * to be added here, or to `small`. If it says `column` or `none`, docs/scaling.md says what is missing.
 */
const large = {
  /** The key begins with the rollout or the cluster. */
  key: [
    ...["observation", "release", "release_wait", "timeline_event", "analysis_run", "metric", "measurement"],
    ...["measurement_gap", "rollout_sample", "unasked_change", "hold", "observation_review", "finding_review"],
  ],
  /** The row has its rollout or its cluster, but its key is an id of its own. */
  column: [
    ...["replica_set", "experiment", "rollout", "pod", "deployment", "kube_event", "analysis_template", "action"],
    ...["approval", "gate_decision", "finding", "controller_message", "controller_sample", "hook_call"],
    ...["kubernetes_audit_event", "change_attribution", "change_log", "audit_entry", "notifiable_event"],
    "attention_change",
  ],
  /** The row has neither: it is found by its content, or through what it is about. */
  none: [
    ...["analysis_template_version", "recorded_part", "evidence", "termination", "notification"],
    "notification_pending",
  ],
};

/** The history of rollouts: by far the most rows. A statement reaches them by rollout, or by a time. */
const history = [
  ...["observation", "release", "release_wait", "timeline_event", "analysis_run", "metric", "measurement"],
  ...["measurement_gap", "rollout_sample"],
];

/** Tables that grow with people, sources and settings only: every server can have a copy. */
const small = [
  ...["cluster", "source", "source_hold", "source_release", "source_lease", "sampled_controller", "controller_scrape"],
  ...[
    "user_account",
    "user_session",
    "api_token",
    "device_request",
    "saved_view",
    "quarantine",
    "config_event",
    "config_confirmation",
  ],
  ...["retention_run", "acknowledgement", "inbox_claim", "inbox_snooze", "hook_credential", "kubernetes_audit_file"],
  ...["cluster_account"],
  ...["change_place", "notification_place"],
];

type Table = { name: string; key: string[]; columns: Set<string> };

/** Reads tables, keys and columns by the database's names. */
function readTables(): Table[] {
  const schema = readFileSync(join(root, "prisma/schema.prisma"), "utf8");
  return [...schema.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].map(([, body = ""]) => {
    const fields = [...body.matchAll(/^ {2}(\w+) .*$/gm)].map(([line, field = ""]) => ({
      ...{ line, field, column: /@map\("(\w+)"\)/.exec(line)?.[1] ?? field },
    }));
    const columnOf = new Map(fields.map(({ field, column }) => [field, column]));
    const composite = /@@id\(\[([^\]]*)\]/
      .exec(body)?.[1]
      ?.split(",")
      .map((field) => field.trim());
    const single = fields.filter(({ line }) => /@id\b/.test(line)).map(({ field }) => field);
    const key = (composite ?? single).map((field) => columnOf.get(field) ?? field);
    return { name: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? "", key, columns: new Set(columnOf.values()) };
  });
}

function placeOf({ key: [first = ""], columns }: Table): keyof typeof large {
  if (first === "rollout_id" || first === "cluster") return "key";
  return columns.has("rollout_id") || columns.has("cluster") || columns.has("namespace") ? "column" : "none";
}

describe("tables that grow with clusters and time", () => {
  const tables = readTables();

  it("are all in `large` or in `small` above", () => {
    expect([...Object.values(large).flat(), ...small].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  it.each(Object.keys(large) as (keyof typeof large)[])("can be spread by rollout as far as it says: %s", (place) => {
    const named = new Set(large[place]);
    // A rollout's own id is its key.
    for (const table of tables.filter(({ name }) => named.has(name)))
      expect([table.name, placeOf(table)]).toEqual([table.name, place]);
  });

  const sources = globSync(["lib/server/**/*.ts", "bin/**/*.ts"], { cwd: root })
    .filter((file) => !/\.test\.ts$|\/generated\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

  // By file and not by statement: a second statement in the same file may still lack it.
  it.each(history)("no file reads or writes %s without a rollout or a time", (table) => {
    const names = new RegExp(
      `(?:From|Table|Into|Join|tableName|tables\\.\\w+)\\(\\s*"${table}(?: as \\w+)?"|table: "${table}"`,
    );
    const bounds = /rollout_id|rolloutId|isOfRun|started_at|created_at|observed_at/;
    const files = sources.filter(({ text }) => names.test(text));
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter(({ text }) => !bounds.test(text)).map(({ file }) => file)).toEqual([]);
  });

  // `xJoin(table, left, right)` compares one column: between rows of a rollout it must be two.
  it("no statement joins tables of the history by an id alone", () => {
    const joins = new RegExp(`Join\\(\\s*"(?:${history.join("|")})(?: as \\w+)?",\\s*"[^"]+",\\s*"[^"]+"`, "g");
    const found = sources.flatMap(({ file, text }) => [...text.matchAll(joins)].map(([join]) => `${file}: ${join}`));
    expect(found.filter((join) => !/\.rollout_id"/.test(join))).toEqual([]);
  });
});
