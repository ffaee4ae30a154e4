import type { Authorize, UserInfo } from "./auth.ts";
import type { FaultBoard } from "./faults.ts";
import type { ApiStore } from "./store.ts";
import type { KubeObject } from "./store-types.ts";

/** State that the handlers of one API server share. */
export type ApiContext = {
  store: ApiStore;
  token: string;
  /** Other users, by bearer token. */
  users: ReadonlyMap<string, UserInfo>;
  now: () => Date;
  authorize: Authorize;
  faults: FaultBoard;
  /** Returns whether a fault hides an object from lists and watches. */
  isHidden: (resource: string, object: KubeObject) => boolean;
  bookmarksMs: number;
};
