import { describe, expect, it } from "vitest";
import { listFaults } from "#test/published/validate-published.ts";
import type { Message } from "./compose-messages.ts";
import { formatCdEvent } from "./format-cd-event.ts";
import { servicePredicates } from "./notifiable-event.ts";
import { sampleEvent } from "./testing/sample-event.ts";

const artifacts = ["pkg:oci/web?tag=v2", "pkg:oci/proxy?tag=v1"];

const publicUrl = "https://gatehouse.example.org";
function format(change: Parameters<typeof sampleEvent>[1], shape: Message["shape"] = "single") {
  const event = sampleEvent("1", { kind: "deployment", path: "/releases/1", ...change });
  const message = { id: "m", shape, severity: "info" as const, title: "", routes: [], events: [event] };
  return { event, sent: formatCdEvent(message, publicUrl) };
}

describe("formatCdEvent", () => {
  it.each(servicePredicates)(
    "writes service.%s as its schema demands, with the attributes of CloudEvents",
    (predicate) => {
      const service = { predicate, environment: "prod/shop", artifacts };
      const { event, sent } = format({ service });
      const type = `dev.cdevents.service.${predicate}.0.3.0`;
      const source = publicUrl;
      expect(listFaults("cdEvent", sent?.data)).toEqual([]);
      expect(listFaults("cdEvent", { ...sent?.data, more: 1 })).not.toEqual([]);
      expect(sent).toEqual({
        ...{ specversion: "1.0", id: event.id, source, type, time: event.at, subject: "prod/shop/Rollout/web" },
        datacontenttype: "application/json",
        data: {
          context: { specversion: "0.5.1", id: event.id, source, type, timestamp: event.at },
          subject: {
            id: "prod/shop/Rollout/web",
            content: { environment: { id: "prod/shop" }, artifactId: artifacts[0] },
          },
          customData: { ...event.target, link: `${publicUrl}/releases/1`, artifacts },
        },
      });
    },
  );

  it("writes a test as a custom event, and nothing for an event of another kind", () => {
    const { sent } = format({ kind: "test" }, "test");
    expect(listFaults("customCdEvent", sent?.data)).toEqual([]);
    expect(sent).toMatchObject({ type: "dev.cdeventsx.gatehouse-channel.tested.0.1.0", subject: "web" });
    expect(format({}).sent).toBeUndefined();
  });
});
