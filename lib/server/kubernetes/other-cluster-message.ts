/** Last error of a source whose cluster is not the one that it was (FC-19): acting tells it from others by this text. */
export const otherClusterMessage =
  "another cluster answers under this name (its kube-system namespace has another uid)";
