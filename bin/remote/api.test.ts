import { expect, it } from "vitest";
import { readEvents, type StreamEvent } from "./api.ts";

function streamOf(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => {
      for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size));
      controller.close();
    },
  });
}

it("reads events however the stream is cut, and leaves out comments", async () => {
  const text =
    ': keep-alive\n\nid: a\nevent: change\ndata: {"kind":"rollout","id":"demo/a/Rollout/é","op":"upsert"}\n\nevent: reset\n\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const events: StreamEvent[] = [];
    for await (const event of readEvents({ body: streamOf(bytes, size) })) events.push(event);
    expect(events).toEqual([
      { event: "change", data: { kind: "rollout", id: "demo/a/Rollout/é", op: "upsert" } },
      { event: "reset" },
    ]);
  }
});

it("gives up an event that does not end", async () => {
  const bytes = new TextEncoder().encode(`event: change\ndata: ${"x".repeat(1_100_000)}`);
  const events = readEvents({ body: streamOf(bytes, 100_000) });
  await expect(events.next()).rejects.toThrow("an event of the stream does not end");
});
