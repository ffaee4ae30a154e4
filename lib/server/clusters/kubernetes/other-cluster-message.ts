export const otherClusterMessage =
  "another cluster answers under this name (its kube-system namespace has another uid)";
export const backwardsMessage =
  "the cluster's versions went backwards (restored from a backup, or another cluster): give it another name in the config";

/** The meaning of a source's error code: it may reach another cluster now, so nothing is done there (FC-19). */
export const otherClusterMessages: Readonly<Record<Column.SourceErrorCode, string>> = {
  "other-cluster": otherClusterMessage,
  "versions-backwards": backwardsMessage,
};
