import { formatList } from "#lib/util/words.ts";

/**
 * Every action that Gatehouse supports, listed once. Buttons, filters, rights, audit sentences and the inbox read it
 * from here. How a provider carries one out (patches, effect) is in the provider's own folder.
 */
export const actionCatalogue = {
  continue: {
    label: "Continue",
    word: "continue",
    did: "continued",
    toDo: "continue",
    direction: "advancing",
    answersInconclusive: true,
    answers: "gate",
    takesFurther: true,
    passes: "pause",
    request: "clear the pause of a pause step or of blue-green",
    patches: "status",
  },
  "accept-step": {
    label: "Accept and continue",
    word: "accept and continue",
    did: "accepted the step's result and continued",
    toDo: "accept the step's result and continue",
    direction: "advancing",
    answersInconclusive: true,
    answers: "gate",
    takesFurther: true,
    passes: "pause",
    request: "accept an Inconclusive inline analysis and move past its step",
    patches: "status",
  },
  "measure-again": {
    label: "Measure again",
    word: "measure again",
    did: "started a new measurement of",
    toDo: "start a new measurement of",
    direction: "advancing",
    answersInconclusive: true,
    answers: "gate",
    takesFurther: true,
    passes: "pause",
    request: "restart the Inconclusive analysis or experiment",
    patches: "status",
  },
  "continue-waive": {
    label: "Override and continue",
    word: "override and continue",
    did: "overrode the analysis and continued",
    toDo: "override the analysis and continue",
    direction: "advancing",
    answersInconclusive: true,
    answers: "gate",
    takesFurther: true,
    passes: "pause",
    request: "waive an Inconclusive background run and continue",
    patches: "status",
  },
  "skip-step": {
    label: "Skip this step",
    word: "skip a step",
    did: "skipped a step of",
    toDo: "skip a step of",
    direction: "advancing",
    answersInconclusive: true,
    takesFurther: true,
    passes: "pause",
    request: "skip the running step, or an Inconclusive experiment",
    patches: "status",
  },
  "skip-all": {
    label: "Skip all steps",
    word: "skip all steps",
    did: "skipped all steps of",
    toDo: "skip all steps of",
    direction: "advancing",
    answersInconclusive: true,
    takesFurther: true,
    passes: "rest",
    request: "skip all remaining steps",
    patches: "status",
  },
  "promote-full": {
    label: "Promote fully",
    word: "promote fully",
    did: "fully promoted",
    toDo: "fully promote",
    direction: "advancing",
    answersInconclusive: true,
    passes: "rest",
    request: "promote without steps, pauses and analysis",
    patches: "status",
  },
  unpause: {
    label: "Unpause",
    word: "unpause",
    did: "unpaused",
    toDo: "unpause",
    direction: "advancing",
    answersInconclusive: false,
    answers: "state",
    passes: "timed",
    request: "lift `spec.paused`",
    patches: "spec",
  },
  retry: {
    label: "Retry",
    word: "retry",
    did: "retried",
    toDo: "retry",
    direction: "advancing",
    answersInconclusive: true,
    answers: "state",
    startsUpdate: true,
    request: "restart an aborted update or, with `detail.subject`, a failed Experiment",
    patches: "status",
  },
  restart: {
    label: "Restart",
    word: "restart",
    did: "restarted",
    toDo: "restart",
    direction: "advancing",
    answersInconclusive: false,
    startsUpdate: true,
    request: "restart the pods",
    patches: "spec",
  },
  undo: {
    label: "Roll back to a revision",
    word: "roll back to a revision",
    did: "rolled back",
    toDo: "roll back",
    direction: "advancing",
    answersInconclusive: true,
    startsUpdate: true,
    request: "restore the pod template of an earlier revision",
    patches: "template",
  },
  "set-image": {
    label: "Set image",
    word: "set image",
    did: "set an image of",
    toDo: "set an image of",
    direction: "advancing",
    answersInconclusive: true,
    startsUpdate: true,
    request: "set the image of a container",
    patches: "template",
  },
  pause: {
    label: "Pause",
    word: "pause",
    did: "paused",
    toDo: "pause",
    direction: "protective",
    answersInconclusive: false,
    request: "hold the update (`spec.paused`)",
    patches: "spec",
  },
  abort: {
    label: "Abort",
    word: "abort",
    did: "aborted",
    toDo: "abort",
    direction: "protective",
    answersInconclusive: true,
    goesBack: true,
    request: "abort the update",
    patches: "status",
  },
  approve: {
    label: "Approve",
    word: "approve",
    did: "approved a gate of",
    toDo: "approve a gate of",
    direction: "advancing",
    answersInconclusive: true,
    answers: "gate",
    takesFurther: true,
    passes: "pause",
    request:
      "open the gate of a waiting Flagger canary; `detail.decision` has the gate, what the decision is bound to, and how long it is valid",
    patches: "nothing",
  },
  unsuspend: {
    label: "Unsuspend",
    word: "unsuspend",
    did: "unsuspended",
    toDo: "unsuspend",
    direction: "advancing",
    answersInconclusive: false,
    answers: "state",
    request: "lift `spec.suspend`",
    patches: "canary",
  },
  "skip-analysis": {
    label: "Skip the analysis",
    word: "skip the analysis",
    did: "skipped the analysis of",
    toDo: "skip the analysis of",
    direction: "advancing",
    answersInconclusive: true,
    takesFurther: true,
    passes: "rest",
    request: "promote a canary without further checks (`spec.skipAnalysis`)",
    patches: "canary",
  },
  retrigger: {
    label: "Retrigger",
    word: "retrigger",
    did: "retriggered",
    toDo: "retrigger",
    direction: "advancing",
    answersInconclusive: true,
    startsUpdate: true,
    request: "analyse a canary's version again, by an annotation in its target's pod template",
    patches: "target",
  },
  hold: {
    label: "Hold",
    word: "hold",
    did: "held a gate of",
    toDo: "hold a gate of",
    direction: "protective",
    answersInconclusive: false,
    request: "keep the gate of a canary closed, and withdraw an unused approval",
    patches: "nothing",
  },
  suspend: {
    label: "Suspend",
    word: "suspend",
    did: "suspended",
    toDo: "suspend",
    direction: "protective",
    answersInconclusive: false,
    request: "stop Flagger on a canary (`spec.suspend`)",
    patches: "canary",
  },
  rollback: {
    label: "Roll back",
    word: "roll back",
    did: "rolled back",
    toDo: "roll back",
    direction: "protective",
    answersInconclusive: true,
    goesBack: true,
    request: "answer the canary's rollback hook with yes",
    patches: "nothing",
  },
  terminate: {
    label: "Terminate",
    word: "terminate",
    did: "terminated a run of",
    toDo: "terminate a run of",
    // Ending a run early lets a release through.
    direction: "advancing",
    answersInconclusive: true,
    subjectOnly: true,
    request: "end a run or an Experiment early, which lets the release through; `detail.subject` names it",
    patches: "run",
  },
} as const satisfies Readonly<Record<string, ActionEntry>>;

export type ActionName = keyof typeof actionCatalogue;

/** The actions on a rollout itself; the others are requested for a run or an Experiment. */
export type RolloutActionName = Exclude<ActionName, "terminate">;

/** The actions on a run or an Experiment. */
export type SubjectActionName = "terminate" | "retry";

export type ActionEntry = {
  /** The button's text. */
  label: string;
  /** Word for lists and filters. */
  word: string;
  /** The action as done and as requested, to precede the rollout's name: "**reverted** shop/web". */
  did: string;
  toDo: string;
  /** What is asked for, in the table of audit codes. */
  request: string;
  /**
   * What it patches, in the tables of rights: the rollout's status or spec, a pod template, a run or an Experiment; of
   * Flagger, nothing, the canary or its target.
   */
  patches: "status" | "spec" | "template" | "run" | "nothing" | "canary" | "target";
  /**
   * Protective actions hold an update back: they work during rapid changes, and only they may be done without a reason.
   */
  direction: "protective" | "advancing";
  /**
   * The action settles an Inconclusive result: from then on the controller may go on. A pause or a restart settles
   * nothing. If true by mistake, the action silences a critical finding.
   */
  answersInconclusive: boolean;
  /** It answers a wait (`gate`), or another state that needs a person (`state`). */
  answers?: "gate" | "state";
  /** It advances an update. Afterwards it is not always possible to tell which of these actions it was. */
  takesFurther?: true;
  /**
   * The pauses that it takes a release past: the one that it is at, that one if it would end by itself, or all that are
   * left. A plan may name others (`passesPauses`).
   */
  passes?: "pause" | "timed" | "rest";
  /** It ends the update, back to the stable version. It is always offered in the same place. */
  goesBack?: true;
  /** It starts or restarts an update: the step that the previous update had reached does not matter. */
  startsUpdate?: true;
  /** Not an action on a rollout. */
  subjectOnly?: true;
};

/** In the order in which they are offered. */
export const actionNames = Object.keys(actionCatalogue) as [ActionName, ...ActionName[]];

export const subjectActions: readonly SubjectActionName[] = ["terminate", "retry"];

export const rolloutActions: readonly RolloutActionName[] = actionNames.filter(
  (name): name is RolloutActionName => entryOf(name).subjectOnly === undefined,
);

/** The actions that end an update, back to the stable version. */
export const backActions: readonly ActionName[] = actionNames.filter((name) => entryOf(name).goesBack === true);

/** The actions that override an analysis result or skip steps. */
export const overridingActions = [
  "accept-step",
  "continue-waive",
  "promote-full",
  "skip-step",
  "skip-all",
] as const satisfies readonly ActionName[];

export function entryOf(name: ActionName): ActionEntry {
  return actionCatalogue[name];
}

/** Returns undefined for a name that is not in this version, such as one in an older entry of the log. */
export function findEntry(name: string): ActionEntry | undefined {
  return Object.hasOwn(actionCatalogue, name) ? entryOf(name as ActionName) : undefined;
}

export function isProtective(name: ActionName): boolean {
  return entryOf(name).direction === "protective";
}

/** Names actions as their buttons do: `"Promote fully" and "Retry"`. */
export function quoteActions(names: readonly ActionName[]): string {
  return formatList(names.map((name) => `"${entryOf(name).label}"`));
}
