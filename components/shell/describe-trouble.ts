import { isForeign } from "#components/ui/classify-state.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { Source } from "#lib/contract/system.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";

const advancing = "actions that advance a rollout there are off";
const aborting = "Aborting still works if the cluster answers.";

/**
 * Describes what sources in trouble change for a person, in a sentence or two per cluster. Actions depend only on
 * Rollouts. Of the other kinds, analysis runs are mentioned because decisions rest on them.
 */
export function describeTrouble(troubled: readonly Source[], nowMs: number): string[] {
  const bad = troubled.filter(({ state }) => state !== "syncing");
  return [...Map.groupBy(bad, ({ cluster }) => cluster)].flatMap(([cluster, sources]) => {
    const rollouts = sources.filter(({ kind }) => isDeliveryKind(kind));
    if (rollouts.length > 0) return [...new Set(rollouts.map((source) => describeRollouts(source, nowMs)))];
    const runs = sources.find(({ kind }) => kind === "AnalysisRun");
    if (runs === undefined) return [];
    return [`The AnalysisRuns of cluster ${cluster} are ${describeRuns(runs)}: their measurements may be out of date.`];
  });
}

function describeRollouts(source: Source, nowMs: number): string {
  const { cluster, namespace, state, hold, lastContact } = source;
  const where = namespace === null ? `Cluster ${cluster}` : `Namespace ${namespace} of cluster ${cluster}`;
  const ageMs = lastContact === null ? Number.POSITIVE_INFINITY : nowMs - Date.parse(lastContact);
  const isOld = ageMs > source.staleAfterSeconds * 1000;
  // A hold on some objects says nothing about the others, unless the source was silent about them too.
  if (hold !== null && state === "suspect" && (hold.reason === "empty" || !isOld)) {
    const held = `${hold.count === 1 ? "1 is" : `${hold.count} are`} held, not marked gone`;
    return hold.reason === "empty"
      ? `${where} suddenly shows no Rollouts: ${held}. Until this is settled, ${advancing}. ${aborting}`
      : `${where} no longer shows many of its Rollouts: ${held}. Actions that advance these are off; the others are not affected.`;
  }
  switch (state) {
    case "denied":
      return `${where} denies access to its Rollouts: ${advancing} until access is restored. ${aborting}`;
    case "error":
      if (isForeign(source)) return `${where} appears to be a different cluster; all actions are disabled there.`;
      return `${where} cannot be read: ${advancing} until it can be. ${aborting}`;
    default: {
      const length = lastContact === null || nowMs === 0 ? "" : ` for ${formatDuration(ageMs)}`;
      return `${where} is stale${length}: ${advancing} until it is live again. ${aborting}`;
    }
  }
}

function describeRuns({ state, hold }: Source): string {
  if (hold !== null) return "held";
  return state === "denied" ? "refused" : state === "error" ? "not readable" : "stale";
}

const lengthPattern = / for \d+ (?:s|min|h|d)(?: \d+ (?:s|min|h|d))*/;

/**
 * Takes the length of time out of a sentence: it changes every second, and a live region would be read out as often.
 * "Cluster demo is stale for 2 min 5 s: ..." has the length " for 2 min 5 s".
 */
export function splitLength(sentence: string): { before: string; length: string; after: string } {
  const found = lengthPattern.exec(sentence);
  if (found === null) return { before: sentence, length: "", after: "" };
  return {
    before: sentence.slice(0, found.index),
    length: found[0],
    after: sentence.slice(found.index + found[0].length),
  };
}
