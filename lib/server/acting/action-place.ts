/** Where an action is done: at a rollout, or at a run or Experiment that none owns. */
export type ActionPlace = { cluster: string; namespace: string; kind: string; name: string };
