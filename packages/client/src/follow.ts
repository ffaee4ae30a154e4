import type { Client } from "./create-client.ts";
import { isGatehouseError } from "./gatehouse-error.ts";
import type { ChangeEvent } from "./generated/operations.ts";
import { type FollowOptions, listen, readChange } from "./listen.ts";

/**
 * - `open`: the stream is connected. Unless it is `resumed`, changes may have been missed: read again what you show.
 * - `change`: something changed; read it again.
 * - `reset`: Gatehouse no longer knows the place that the stream was to resume at: read everything again.
 *
 * `id` is the place after the event, for `lastEventId` of a later `follow`.
 */
export type StreamEvent =
  | { type: "open"; resumed: boolean }
  | { type: "change"; id: string; change: ChangeEvent }
  | { type: "reset"; id: string };

/**
 * Yields what changes until the signal aborts or the caller stops. It connects again after a failure and resumes by
 * Last-Event-ID. Throws a `GatehouseError` that another try cannot mend, such as `unauthenticated`.
 */
export async function* follow(
  client: Pick<Client, "stream">,
  options: FollowOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  let id = options.lastEventId ?? "";
  for await (const news of listen({ ...options, open: (call) => client.stream(call) })) {
    if (news.type === "open") yield news;
    if (news.type === "lost" && isGatehouseError(news.error) && !news.error.isTransient) throw news.error;
    if (news.type !== "heard") continue;
    for (const event of news.events) {
      if (options.signal?.aborted) return;
      id = event.id || id;
      const change = readChange(event);
      if (event.event === "reset") yield { type: "reset", id };
      else if (change !== undefined) yield { type: "change", id, change };
    }
  }
}
