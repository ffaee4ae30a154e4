import { queryKeys } from "#lib/client/query-keys.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

type Key = readonly unknown[];

export type Affected = {
  queryKey: Key;
  /** Ids of rollouts: only lists whose loaded data shows such a rollout are affected. Absent: all. */
  shows?: ReadonlySet<string>;
  /** Only pages of rollouts that their set holds back are affected. */
  isHeld?: true;
};

/**
 * Returns the query keys that one change affects. An analysis run also affects the page of its rollout, and
 * the inbox (see `affectedKeysOf`). If the event does not name its rollout, all open rollout pages are refetched.
 */
export function affectedKeys(change: ChangeEvent): Key[] {
  const rolloutPages = change.rollout === undefined ? ["rollouts", "one"] : queryKeys.rolloutById(change.rollout);
  switch (change.kind) {
    case "rollout":
      return [
        queryKeys.inbox(),
        queryKeys.rolloutLists(),
        queryKeys.rolloutById(change.id),
        [...queryKeys.subjectPlans(), change.id],
      ];
    case "analysis-run":
      return [queryKeys.runLists(), queryKeys.run(change.id), rolloutPages];
    case "experiment":
      return [queryKeys.experimentLists(), queryKeys.experiment(change.id), rolloutPages];
    case "template":
      return [queryKeys.templateLists(), queryKeys.templateById(change.id)];
    case "rollout-pods":
      // The rollout's page counts them per ReplicaSet.
      return [queryKeys.rolloutById(change.id)];
    case "rollout-events":
      return [[...queryKeys.rolloutById(change.id), "events"]];
    case "release":
      return [queryKeys.releaseLists(), queryKeys.release(change.id), rolloutPages];
    case "action":
      return [
        queryKeys.action(change.id),
        ["actions", "group"],
        queryKeys.auditLists(),
        queryKeys.releaseLists(),
        queryKeys.inbox(),
        queryKeys.subjectPlans(),
      ];
    case "approval":
      return [["approvals"]];
    case "scheduled-action":
      return [queryKeys.scheduledActions()];
    case "audit":
      return [queryKeys.auditLists(), queryKeys.releaseLists(), rolloutPages];
    case "finding":
      return [queryKeys.findingLists(), queryKeys.finding(change.id)];
    case "source":
      return [
        queryKeys.sources(),
        queryKeys.clusters(),
        queryKeys.inbox(),
        ["rollouts", "one"],
        queryKeys.subjectPlans(),
      ];
    case "setting":
      return [queryKeys.admin("links"), queryKeys.admin("notifications"), queryKeys.notificationChannels()];
    case "freeze":
      return [queryKeys.freezes(), queryKeys.inbox(), ["rollouts", "one"], queryKeys.subjectPlans()];
    case "notification":
      return [queryKeys.notifiableEvents(), queryKeys.notifications()];
  }
}

/** Returns each key once for a batch of changes: a burst of updates refetches every list once. */
export function affectedKeysOf(changes: readonly ChangeEvent[]): Affected[] {
  const byText = new Map<string, Affected>();
  for (const change of changes) {
    for (const queryKey of affectedKeys(change)) byText.set(JSON.stringify(queryKey), { queryKey });
  }
  // Another member of its set may have reached its pause.
  if (changes.some(({ kind }) => kind === "rollout"))
    byText.set("held", { queryKey: ["rollouts", "one"], isHeld: true });
  const inboxText = JSON.stringify(queryKeys.inbox());
  if (!byText.has(inboxText)) {
    const inbox = affectedInbox(changes);
    if (inbox !== undefined) byText.set(inboxText, inbox);
  }
  return [...byText.values()];
}

/** A measurement changes the inbox only if its rollout waits there; a rollout that begins to wait has its own event. */
function affectedInbox(changes: readonly ChangeEvent[]): Affected | undefined {
  const runs = changes.filter(({ kind }) => kind === "analysis-run");
  const known = runs.flatMap(({ rollout }) => rollout ?? []);
  if (runs.length === 0) return undefined;
  const queryKey = queryKeys.inbox();
  return known.length === runs.length ? { queryKey, shows: new Set(known) } : { queryKey };
}

type RolloutRows = { pages: readonly { items: readonly { rollout?: { id: string } }[] }[] };

/** Returns whether the loaded data of a list shows a rollout with one of these ids. */
export function showsAny(data: unknown, ids: ReadonlySet<string>): boolean {
  const { pages } = (data ?? { pages: [] }) as RolloutRows;
  return pages.some(({ items }) => items.some(({ rollout }) => rollout !== undefined && ids.has(rollout.id)));
}

/** Returns whether the loaded data is of a rollout that its set holds back. */
export function isHeldBySet(data: unknown): boolean {
  const { allowedActions = [] } = (data ?? {}) as Partial<Pick<RolloutDetail, "allowedActions">>;
  return allowedActions.some(({ reasonCode, needs }) => reasonCode === "barrier" || needs.barrier !== undefined);
}
