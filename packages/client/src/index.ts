export { type Answer, type Client, createClient, type Input } from "./create-client.ts";
export { each } from "./each.ts";
export { expectationOf } from "./expectation-of.ts";
export { follow, type StreamEvent } from "./follow.ts";
export { GatehouseError, isGatehouseError, type LocalCode } from "./gatehouse-error.ts";
export type * from "./generated/operations.ts";
export type { FollowOptions } from "./listen.ts";
export { readLines } from "./read-lines.ts";
export type { CallOptions, ClientOptions } from "./send.ts";
