/** Last errors of a source whose cluster is not the one that it was (FC-19): acting tells them from others by this text. */
export const otherClusterMessage =
  "another cluster answers under this name (its kube-system namespace has another uid)";
export const backwardsMessage =
  "the cluster's versions went backwards (restored from a backup, or another cluster): give it another name in the config";
