/** Percent of the traffic that each gets; mirrored traffic goes to both, and only the primary answers. */
export type Routes = { primary: number; canary: number; isMirrored: boolean };

export type TrafficRouter = {
  /** Creates what routes, if it is missing. */
  reconcile(): void;
  read(): Routes;
  set(routes: Routes): void;
};

export const ALL_TO_PRIMARY: Routes = { primary: 100, canary: 0, isMirrored: false };
export const ALL_TO_CANARY: Routes = { primary: 0, canary: 100, isMirrored: false };
