import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { groupOfReason } from "#lib/domain/waiting/rank-wait.ts";
import { readInboxEvidence, type WorstFinding } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { formatInboxSentence } from "#lib/server/pages/inbox/inbox-sentence.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ReleaseRow } from "#lib/server/records/release-row.ts";
import { type RolloutRow, selectRollouts } from "#lib/server/records/rollout-row.ts";
import { cutText } from "#lib/util/text.ts";

const { ref } = fragment<{ r: "rollout" }>();

const selectObjects = tables
  .selectFrom("rollout as r")
  .select(["r.id", "r.kind", "r.phase", "r.attention_reason", "r.revision_key", "r.object"]);

/** Says why a rollout waits for a decision, as the inbox does; null if it does not. */
export function describeWait(row: RolloutRow, evidence: readonly MetricEvidence[]): string | null {
  const isDecision = row.attention_reason !== null && groupOfReason[row.attention_reason] === "decide";
  return isDecision ? formatInboxSentence({ row, evidence }) : null;
}

/** Reads why these releases wait for a decision. Reads nothing if none does. */
export async function readWaitSentences(
  runtime: Runtime,
  releases: readonly Pick<ReleaseRow, "rollout_id" | "waits_for">[],
): Promise<{ of(release: Pick<ReleaseRow, "rollout_id" | "waits_for">): string | null }> {
  const ids = releases.flatMap((release) => (release.waits_for === null ? [] : [release.rollout_id]));
  const rows =
    ids.length === 0
      ? []
      : await readRows(runtime.pool, selectRollouts.select("r.object").where(isOneOf(ref("r.id"), ids, "uuid")));
  const evidence = await readEvidence(runtime, rows);
  const sentences = new Map(rows.map((row) => [row.id, describeWait(row, evidence.get(row.id)?.items ?? [])]));
  return { of: (release) => (release.waits_for === null ? null : (sentences.get(release.rollout_id) ?? null)) };
}

type WithObject = Pick<RolloutRow, "id" | "kind" | "phase" | "attention_reason" | "revision_key"> & { object: unknown };

async function readEvidence(runtime: Runtime, rows: readonly WithObject[]) {
  const named = rows.map((row) => {
    const rollout = providerOfKind(row.kind).parse(row.object);
    return { ...row, runNames: rollout.ok ? rollout.value.runNames : [] };
  });
  return readInboxEvidence(runtime, named);
}

/** The reasons whose sentences name measurements; the others are in the words of the row alone. */
const measuredReasons: readonly RolloutRow["attention_reason"][] = ["inconclusive", "blueGreenPromotion", "finding"];

/** In characters. The page of the rollout has the whole sentence. */
const longestSentence = 300;

/**
 * Says why rollouts of a list wait or need a fix, as the inbox does; those that need neither are absent. Reads evidence
 * only for sentences that name measurements, with the same few statements for the whole page.
 */
export async function readListSentences(
  runtime: Runtime,
  rows: readonly RolloutRow[],
  findings: ReadonlyMap<string, WorstFinding>,
): Promise<Map<string, string>> {
  const measured = rows.filter((row) => measuredReasons.includes(row.attention_reason)).map(({ id }) => id);
  const evidence =
    measured.length === 0
      ? undefined
      : await readEvidence(
          runtime,
          await readRows(
            runtime.pool,
            selectObjects.where(() => isOneOf(ref("r.id"), measured, "uuid")),
          ),
        );
  const waiting = rows.filter((row) => row.attention_reason !== null);
  return new Map(
    waiting.map((row) => {
      const own = evidence?.get(row.id)?.items ?? [];
      const sentence = formatInboxSentence({ row, evidence: own, finding: findings.get(row.id) });
      return [row.id, cutText(sentence, longestSentence)];
    }),
  );
}
