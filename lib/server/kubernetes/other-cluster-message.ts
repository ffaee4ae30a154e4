/** Last error of a source that now reaches another cluster (FC-19): acting recognises it by this text. */
export const otherClusterMessage =
  "another cluster answers under this name (its kube-system namespace has another uid)";
export const backwardsMessage =
  "the cluster's versions went backwards (restored from a backup, or another cluster): give it another name in the config";
