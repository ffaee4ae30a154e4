export {
  type Answer,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
} from "./create-client.ts";
export { each } from "./each.ts";
export { expectationOf } from "./expectation-of.ts";
export { type FollowOptions, follow, type StreamEvent } from "./follow.ts";
export { GatehouseError, isGatehouseError, type LocalCode } from "./gatehouse-error.ts";
export type * from "./generated/operations.ts";
export { readLines } from "./read-lines.ts";
