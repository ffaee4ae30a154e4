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
