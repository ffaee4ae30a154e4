import type { TimelineEvent } from "#lib/contract/timeline.ts";

type Release = NonNullable<TimelineEvent["release"]>;

export function timelineRelease(change: Pick<Release, "id" | "startedAt"> & Partial<Release>): Release {
  return { revision: 1, attempt: 1, state: "promoted", images: [], ...change };
}

/** Its text is its id too. */
export function timelineEvent(change: Pick<TimelineEvent, "at" | "text"> & Partial<TimelineEvent>): TimelineEvent {
  return {
    id: change.text,
    kind: "step",
    phase: null,
    runUid: null,
    runName: null,
    auditSeq: null,
    outcomeSeq: null,
    reason: null,
    isRefused: false,
    release: null,
    ...change,
  };
}
