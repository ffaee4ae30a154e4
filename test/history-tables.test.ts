import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/**
 * The history of rollouts has by far the most rows. Its keys begin with the rollout, so an id alone has no index; those of
 * measurements and gaps begin with the number of their metric, those of waits with the id of their release.
 */
const history = [
  ...["observation", "release", "release_wait", "timeline_event", "analysis_run", "metric", "measurement"],
  ...["recorded_measurement", "packed_measurement", "measurement_gap", "rollout_sample"],
];

describe("the history of rollouts", () => {
  const sources = globSync(["lib/server/**/*.ts", "bin/**/*.ts"], { cwd: root })
    .filter((file) => !/\.test\.ts$|\/generated\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

  // By file and not by statement: a second statement in the same file may still lack it.
  it.each(history)("no file reads or writes %s without a rollout, a metric or a time", (table) => {
    const model = table.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const names = new RegExp(
      `(?:From|Table|Into|Join|tableName|tables\\.\\w+)\\(\\s*"${table}(?: as \\w+)?"|table: "${table}"|\\b${model}\\.(?:find|create|update|delete|count)`,
    );
    const bounds = /rollout_id|rolloutId|isOfRun|metric_id|started_at|created_at|observed_at/;
    const files = sources.filter(({ text }) => names.test(text));
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter(({ text }) => !bounds.test(text)).map(({ file }) => file)).toEqual([]);
  });

  // `xJoin(table, left, right)` compares one column: between rows of a rollout it must be two.
  it("no statement joins tables of the history by an id alone", () => {
    const joins = new RegExp(`Join\\(\\s*"(?:${history.join("|")})(?: as \\w+)?",\\s*"[^"]+",\\s*"[^"]+"`, "g");
    const found = sources.flatMap(({ file, text }) => [...text.matchAll(joins)].map(([join]) => `${file}: ${join}`));
    expect(found.filter((join) => !/\.(?:rollout_id|metric_id|release_id)"/.test(join))).toEqual([]);
  });
});
