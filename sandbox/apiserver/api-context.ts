import type { Authorize, UserInfo } from "./auth.ts";
import type { FaultBoard } from "./faults.ts";
import type { ApiStore } from "./store.ts";
import type { KubeObject } from "./store-types.ts";

/** What the handlers of one API server share. */
export type ApiContext = {
  store: ApiStore;
  token: string;
  /** Who else may sign in, by bearer token. */
  users: ReadonlyMap<string, UserInfo>;
  now: () => Date;
  authorize: Authorize;
  faults: FaultBoard;
  /** Whether a fault keeps an object out of lists and watches. */
  isHidden: (resource: string, object: KubeObject) => boolean;
  bookmarksMs: number;
};
