import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { groupOfReason } from "#lib/domain/waiting/rank-wait.ts";
import { readInboxEvidence } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { formatInboxSentence } from "#lib/server/pages/inbox/inbox-sentence.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ReleaseRow } from "#lib/server/records/release-row.ts";
import { type RolloutRow, selectRollouts } from "#lib/server/records/rollout-row.ts";

const { ref } = fragment<{ r: "rollout" }>();

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
  const evidence = await readInboxEvidence(
    runtime,
    rows.map((row) => {
      const rollout = providerOfKind(row.kind).parse(row.object);
      return { ...row, runNames: rollout.ok ? rollout.value.runNames : [] };
    }),
  );
  const sentences = new Map(rows.map((row) => [row.id, describeWait(row, evidence.get(row.id)?.items ?? [])]));
  return { of: (release) => (release.waits_for === null ? null : (sentences.get(release.rollout_id) ?? null)) };
}
