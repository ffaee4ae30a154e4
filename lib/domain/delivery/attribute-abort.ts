export type AbortParty = "person" | "client" | "controller" | "unknown";

/**
 * The known facts about an abort. `isOnRequest`: whether it was requested, by the controller's message; undefined if
 * not stated.
 */
export type AbortFacts = {
  isOnRequest: boolean | undefined;
  /** The abort or rollback recorded for the release, with its source; undefined without one. */
  act: { source: "gatehouse" | "cluster" | "system" } | undefined;
};

/**
 * Returns who aborted a release. A controller that names a cause did it by itself, even if an abort was requested at
 * the same time. A request without a trace has an unknown author: it is never attributed to the controller.
 */
export function attributeAbort({ isOnRequest, act }: AbortFacts): AbortParty {
  if (isOnRequest === false) return "controller";
  if (act !== undefined) return act.source === "cluster" ? "client" : "person";
  return isOnRequest === true ? "unknown" : "controller";
}
