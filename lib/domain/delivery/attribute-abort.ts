export type AbortParty = "person" | "client" | "controller" | "unknown";

/** What is known about an abort. `isOnRequest`: the controller says that it was told to; undefined if it does not say. */
export type AbortFacts = {
  isOnRequest: boolean | undefined;
  /** The act of going back that belongs to the release, with where it was made; undefined if there is none. */
  act: { source: "gatehouse" | "cluster" | "system" } | undefined;
};

/**
 * Says who aborted a release. A controller that names a cause did it by itself, even if somebody requested an abort at the same time.
 * A request without a trace has an unknown author: it is never given to the controller.
 */
export function attributeAbort({ isOnRequest, act }: AbortFacts): AbortParty {
  if (isOnRequest === false) return "controller";
  if (act !== undefined) return act.source === "cluster" ? "client" : "person";
  return isOnRequest === true ? "unknown" : "controller";
}
