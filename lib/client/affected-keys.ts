import { queryKeys } from "#lib/client/query-keys.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

type Key = readonly unknown[];

/**
 * Returns the query keys that one change affects. An analysis run also affects its rollout's page and the inbox, whose
 * rows carry its measurements. The event does not name the rollout, so all open rollout pages are refetched.
 */
export function affectedKeys(change: ChangeEvent): Key[] {
  switch (change.kind) {
    case "rollout":
      return [
        queryKeys.inbox(),
        queryKeys.rolloutLists(),
        queryKeys.rolloutById(change.id),
        [...queryKeys.subjectPlans(), change.id],
      ];
    case "analysis-run":
      return [queryKeys.inbox(), queryKeys.runLists(), queryKeys.run(change.id), ["rollouts", "one"]];
    case "experiment":
      return [queryKeys.experimentLists(), queryKeys.experiment(change.id), ["rollouts", "one"]];
    case "template":
      return [queryKeys.templateLists(), queryKeys.templateById(change.id)];
    case "rollout-pods":
      // The rollout's page counts them per ReplicaSet.
      return [queryKeys.rolloutById(change.id)];
    case "rollout-events":
      return [[...queryKeys.rolloutById(change.id), "events"]];
    case "release":
      return [queryKeys.releaseLists(), queryKeys.release(change.id), ["rollouts", "one"]];
    case "action":
      return [
        queryKeys.action(change.id),
        queryKeys.auditLists(),
        queryKeys.releaseLists(),
        queryKeys.inbox(),
        queryKeys.subjectPlans(),
      ];
    case "approval":
      return [["approvals"]];
    case "audit":
      return [queryKeys.auditLists(), queryKeys.releaseLists(), ["rollouts", "one"]];
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
    case "notification":
      return [queryKeys.notifiableEvents(), queryKeys.notifications()];
  }
}

/** Returns each key once for a batch of changes: a burst of updates refetches every list once. */
export function affectedKeysOf(changes: readonly ChangeEvent[]): Key[] {
  const byText = new Map<string, Key>();
  for (const change of changes) {
    for (const key of affectedKeys(change)) byText.set(JSON.stringify(key), key);
  }
  return [...byText.values()];
}
