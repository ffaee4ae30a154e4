import { setImmediate as rest } from "node:timers/promises";
import type { Pool } from "pg";
import { replayVerdict } from "#lib/domain/argo/analysis/verdict-check.ts";
import type { Finding, RecordedRun, VerdictCheck } from "#lib/domain/argo/analysis/verdict-check-types.ts";
import { toStorableJson } from "#lib/domain/history/escape-text.ts";
import { writeChanges } from "./change-rows.ts";
import { inTransaction } from "./in-transaction.ts";
import { type DueRun, loadDueRuns, loadRecordedRun } from "./load-recorded-run.ts";
import { topOwnerNameSql } from "./resolve-top-owner.ts";
import { storableText } from "./text-fields.ts";

const maxPerPass = 50;
const maxFindings = 50;
/** A replay rests this often, so that recording goes on. */
const sliceMs = 8;

/**
 * One pass over the runs that have ended since they were last checked, or were never: each is played again under its
 * own rules, and the outcome is stored with it. Runs stored before there was a check are found in the same way. Late
 * measurements come with another version of the run, which makes it due again. Several recorders may run it at once.
 * Resolves with how many checks were stored.
 */
export async function checkDueVerdicts(
  pool: Pool,
  /** After this long the replay of a run is given up. */
  { giveUpMs = 3000 }: { giveUpMs?: number } = {},
): Promise<{ stored: number }> {
  let stored = 0;
  for (const due of await loadDueRuns(pool, maxPerPass)) {
    const run = await loadRecordedRun(pool, due);
    const check = typeof run === "string" ? undecided(run) : await replayResting(run, giveUpMs);
    if (await storeCheck(pool, due, check)) stored++;
  }
  return { stored };
}

async function replayResting(run: RecordedRun, giveUpMs: number): Promise<VerdictCheck> {
  const begin = performance.now();
  const replay = replayVerdict(run);
  let rested = begin;
  for (;;) {
    const step = replay.next();
    if (step.done === true) return step.value;
    const now = performance.now();
    if (now - begin > giveUpMs) return undecided("Its conditions take too long to be judged again.");
    if (now - rested < sliceMs) continue;
    await rest();
    rested = performance.now();
  }
}

function undecided(text: string): VerdictCheck {
  return { state: "undecided", findings: [{ kind: "undecided", rule: "size", text }] };
}

/** False where the run has changed meanwhile: it is due again then. */
async function storeCheck(pool: Pool, due: DueRun, check: VerdictCheck): Promise<boolean> {
  const findings = check.findings.slice(0, maxFindings).map((finding): Finding => {
    return { ...finding, text: storableText(finding.text) };
  });
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ name: string | null }>(
      `UPDATE analysis_run a SET verdict_check = $3, verdict_check_version = $2, verdict_checked_at = clock_timestamp()
        WHERE uid = $1 AND resource_version = $2 AND verdict_check_version IS DISTINCT FROM $2
        RETURNING ${topOwnerNameSql} AS name`,
      [due.uid, due.resource_version, toStorableJson({ state: check.state, findings })],
    );
    const [stored] = rows;
    if (stored === undefined) return false;
    const { uid: ref, cluster, namespace } = due;
    await writeChanges(tx, [{ kind: "analysis-run", ref, op: "upsert", cluster, namespace, name: stored.name }]);
    return true;
  });
}
