import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { type FindingSeverity, findingSeverities } from "#lib/domain/oversight/rule.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import { cleanLine } from "#lib/util/text.ts";

/** The event kinds that the routes of the config can name. */
export const notifiableKinds = [
  /** A rollout waits for a person: a pause, a gate, a blue-green promotion. */
  "waiting",
  "inconclusive",
  /** A release failed: aborted, degraded, or a promotion that does not get through. */
  "promotion-failing",
  /** A rollout no longer waits: of the three above, for the channels that were told. */
  "wait-ended",
  "finding-opened",
  "finding-worsened",
  "finding-closed",
  /** An action and its outcome, by Gatehouse or by other means. */
  "action",
] as const;
export type NotifiableKind = (typeof notifiableKinds)[number];

/**
 * What an event is about for as long as it lasts: a wait or a finding. Channels that resolve their messages keep track
 * of it until it ends.
 */
export type Matter = {
  /** From `stableUuid` for a wait, else the finding's id. */
  id: string;
  /** Of a wait; null for a finding. */
  rolloutId: string | null;
  /** The reason of a wait, or the rule of a finding. */
  cause: string;
  /** The version that the rollout wants; null if there is none. */
  version: string | null;
  /** ISO 8601. */
  since: string;
};

/** An event that people may want to hear about. Immutable; texts are redacted when it is stored. */
export type NotifiableEvent = {
  /**
   * From `stableUuid`. Invariant: the same event always has the same id, whichever process finds it, and however often.
   */
  id: string;
  /** `test`: sent to one channel by an admin. `deployment`: of a release, for a code host or a pipeline. Neither is routed. */
  kind: NotifiableKind | "test" | "deployment";
  severity: FindingSeverity;
  /** The subject of the event. Namespace and name are empty if it has none, such as for a finding about a source. */
  target: Target;
  /** A few words without the target's name and without a full stop, such as "Waits at step 2 of 5". */
  title: string;
  /** One or two whole sentences. */
  sentence: string;
  facts: { label: string; value: string }[];
  /** The path of the evidence in the user interface, such as `/rollouts/prod/shop/Rollout/web` or `/findings/{id}`. */
  path: string;
  /** ISO 8601; when it happened or was found. Events from before notifications first started are not sent. */
  at: string;
  /** The wait or finding that it begins, changes or ends; absent for an action or a request. */
  matter?: Matter | undefined;
  /** The outcome of an action, sent only to the system that was asked about its ticket. */
  ticket?: TicketOutcome | undefined;
  /** The deployment that a release is for a code host. */
  deployment?: DeploymentReport | undefined;
  /** What the end of a release means for its service, as a CDEvent says it. */
  service?: ServiceReport | undefined;
};

/** The states of a deployment, in GitHub's words. `inactive`: replaced before its end, or it is unknown how it ended. */
export const deploymentStatuses = ["in_progress", "success", "failure", "inactive"] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

/** `repository`: its path at the code host, such as `shop/web`. `commit`: the whole hash. */
export type DeploymentReport = { repository: string; commit: string; environment: string; status: DeploymentStatus };

export const servicePredicates = ["deployed", "upgraded", "rolledback"] as const;

/** `artifacts`: the images that run now, as package URLs; the first is the one that the release changed. */
export type ServiceReport = {
  predicate: (typeof servicePredicates)[number];
  environment: string;
  artifacts: string[];
};

/** Returns whether an event says that something is over. */
export function isOver({ kind }: Pick<NotifiableEvent, "kind">): boolean {
  return kind === "wait-ended" || kind === "finding-closed";
}

/** An action whose reason names a ticket. `id`: of the action, the same in the question about it and in each outcome. */
export type TicketAction = { id: string; rule: string; ticket: string; action: string };

/** What became of an action. `outcome`: of its audit entry, or its later effect, such as `took-effect`. */
export type TicketOutcome = TicketAction & { outcome: string };

/** Cleans the texts of an event for a message: they repeat names, messages and images of a cluster, and reasons. */
export function cleanTexts<Event extends Pick<NotifiableEvent, "title" | "sentence" | "facts">>(event: Event): Event {
  return {
    ...event,
    title: cleanLine(event.title),
    sentence: cleanLine(event.sentence),
    facts: event.facts.map(({ label, value }) => ({ label: cleanLine(label), value: cleanLine(value) })),
  };
}

/** Returns the path of a rollout's page in the user interface. */
export function pathOfRollout({ cluster, namespace, kind, name }: ObjectRef): string {
  return `/rollouts/${[cluster, namespace, kind, name].map(encodeURIComponent).join("/")}`;
}

/** Returns the address of a path in the user interface; a path that would lead elsewhere becomes the front page. */
export function linkTo(publicUrl: string, path: string): string {
  const base = publicUrl.replace(/(?<!\/)\/+$/, "");
  return /^\/(?!\/)/.test(path) && !path.includes("\\") ? `${base}${path}` : `${base}/`;
}

/** Returns whether a severity is this one or a higher one. */
export function isAtLeast(severity: FindingSeverity, least: FindingSeverity): boolean {
  return rankOf(severity) >= rankOf(least);
}

export function rankOf(severity: FindingSeverity): number {
  return findingSeverities.indexOf(severity);
}

/** Returns the highest of these; `info` for an empty list. */
export function highestOf(severities: readonly FindingSeverity[]): FindingSeverity {
  return findingSeverities.findLast((severity) => severities.includes(severity)) ?? "info";
}
