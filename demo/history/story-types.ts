/** A person of the demo, or one with kubectl, whom Gatehouse does not know. */
export type Person = "operator" | "admin" | "kubectl";

/** What a person does once the rollout waits, or was aborted: `after` a time, or at the next `at` of the clock (UTC). */
export type PersonAct = {
  by: Person;
  act: "accept-step" | "continue" | "abort" | "retry" | "promote-full" | "undo";
  reason: string;
  /** What the person waits for before the act; by default, that the rollout waits for a person. */
  when?: "waiting" | "aborted" | "under-way" | "healthy";
  /** The person who approves it first, how long after the request, and the words. */
  approvedBy?: { by: Person; after: string; reason: string };
  /** Gatehouse refuses it: a freeze is in force, or a second person is missing. */
  isRefused?: true;
} & ({ after: string } | { at: string });

/** How the new version behaves while it is measured. */
export type Trouble = "errors" | "failures" | "slow" | "uncertain" | "flaky";

export type HistoryRelease = {
  /** Day of the history, from 0 (a Monday), and time: "d2 09:40". */
  on: string;
  /** Name of the rollout. */
  service: string;
  trouble?: Trouble;
  people?: PersonAct[];
};

/** A rollout of the demo, and how often it is released without anything worth a line of its own. */
export type HistoryService = {
  namespace: string;
  name: string;
  /** Days between two routine releases, and the hours (UTC) in which they start. */
  every: number;
  hours: [from: number, to: number];
  /** Minutes of the history for each second of its scenario; 1 by default. */
  pace?: number;
  /**
   * Its canary waits for a person, who continues it within this many minutes, or the next morning. Each routine release
   * takes the next reason.
   */
  waits?: { minutes: [from: number, to: number]; overnight: number; reasons: readonly string[] };
};

/** A change of one condition of a template. */
export type TemplateChange = {
  on: string;
  namespace: string;
  template: string;
  metric: string;
  successCondition: { before: string; after: string };
};

export type HistoryFreeze = {
  on: string;
  by: Person;
  namespaces: readonly string[];
  hours: number;
  reason: string;
  /** When and why the same person ends it early. */
  ended: { on: string; reason: string };
};
