/** The pods of one revision. */
export type RevisionSet = {
  name: string;
  podHash: string | undefined;
  revision: number | undefined;
  images: string[];
  replicas: number;
  ready: number;
  available: number;
  desired: number;
};

/** Which revision a ReplicaSet is, according to its controller's mark. */
export type RevisionMark = {
  podHash: string | undefined;
  revision: number | undefined;
  /** Every revision that it has been, including `revision`, ascending. */
  revisions: number[];
};
