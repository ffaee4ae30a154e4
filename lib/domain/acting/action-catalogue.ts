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
  },
  "skip-step": {
    label: "Skip this step",
    word: "skip a step",
    did: "skipped a step of",
    toDo: "skip a step of",
    direction: "advancing",
    answersInconclusive: true,
    takesFurther: true,
  },
  "skip-all": {
    label: "Skip all steps",
    word: "skip all steps",
    did: "skipped all steps of",
    toDo: "skip all steps of",
    direction: "advancing",
    answersInconclusive: true,
    takesFurther: true,
  },
  "promote-full": {
    label: "Promote fully",
    word: "promote fully",
    did: "requested full promotion of",
    toDo: "fully promote",
    direction: "advancing",
    answersInconclusive: true,
  },
  unpause: {
    label: "Unpause",
    word: "unpause",
    did: "unpaused",
    toDo: "unpause",
    direction: "advancing",
    answersInconclusive: false,
    answers: "state",
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
  },
  restart: {
    label: "Restart",
    word: "restart",
    did: "restarted",
    toDo: "restart",
    direction: "advancing",
    answersInconclusive: false,
    startsUpdate: true,
  },
  undo: {
    label: "Undo",
    word: "undo",
    did: "reverted",
    toDo: "revert",
    direction: "advancing",
    answersInconclusive: true,
    startsUpdate: true,
  },
  "set-image": {
    label: "Set image",
    word: "set image",
    did: "set an image of",
    toDo: "set an image of",
    direction: "advancing",
    answersInconclusive: true,
    startsUpdate: true,
  },
  pause: {
    label: "Pause",
    word: "pause",
    did: "paused",
    toDo: "pause",
    direction: "protective",
    answersInconclusive: false,
  },
  abort: {
    label: "Abort",
    word: "abort",
    did: "aborted",
    toDo: "abort",
    direction: "protective",
    answersInconclusive: true,
    goesBack: true,
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
  },
  unsuspend: {
    label: "Unsuspend",
    word: "unsuspend",
    did: "unsuspended",
    toDo: "unsuspend",
    direction: "advancing",
    answersInconclusive: false,
    answers: "state",
  },
  "skip-analysis": {
    label: "Skip the analysis",
    word: "skip the analysis",
    did: "skipped the analysis of",
    toDo: "skip the analysis of",
    direction: "advancing",
    answersInconclusive: true,
    takesFurther: true,
  },
  retrigger: {
    label: "Retrigger",
    word: "retrigger",
    did: "retriggered",
    toDo: "retrigger",
    direction: "advancing",
    answersInconclusive: true,
    startsUpdate: true,
  },
  hold: {
    label: "Hold",
    word: "hold",
    did: "held a gate of",
    toDo: "hold a gate of",
    direction: "protective",
    answersInconclusive: false,
  },
  suspend: {
    label: "Suspend",
    word: "suspend",
    did: "suspended",
    toDo: "suspend",
    direction: "protective",
    answersInconclusive: false,
  },
  rollback: {
    label: "Roll back",
    word: "roll back",
    did: "rolled back",
    toDo: "roll back",
    direction: "protective",
    answersInconclusive: true,
    goesBack: true,
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
