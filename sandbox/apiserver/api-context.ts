import type { Authorize } from "./auth.ts";
import type { FaultBoard } from "./faults.ts";
import type { ApiStore } from "./store.ts";

/** What the handlers of one API server share. */
export type ApiContext = {
  store: ApiStore;
  token: string;
  now: () => Date;
  authorize: Authorize;
  faults: FaultBoard;
  bookmarksMs: number;
};
