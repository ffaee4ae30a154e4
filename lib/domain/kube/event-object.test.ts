import { describe, expect, it } from "vitest";
import { parseEvent } from "./event-object.ts";

const event = (more: object) => ({
  kind: "Event",
  metadata: { namespace: "shop", uid: "e1", resourceVersion: "5", creationTimestamp: "2026-01-01T00:00:09Z" },
  involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "a", uid: "p1" },
  type: "Warning",
  reason: "BackOff",
  message: "m",
  ...more,
});

describe("parseEvent", () => {
  it.each([
    {
      name: "one that is counted",
      more: {
        count: 4,
        firstTimestamp: "2026-01-01T00:00:01Z",
        lastTimestamp: "2026-01-01T00:00:05Z",
        source: { component: "kubelet" },
      },
      facts: { count: 4, firstAt: "2026-01-01T00:00:01Z", lastAt: "2026-01-01T00:00:05Z", reporter: "kubelet" },
    },
    {
      name: "a series",
      more: {
        firstTimestamp: null,
        lastTimestamp: null,
        count: null,
        eventTime: "2026-01-01T00:00:01.000001Z",
        series: { count: 9, lastObservedTime: "2026-01-01T00:00:07.000001Z" },
        reportingComponent: "scheduler",
      },
      facts: {
        count: 9,
        firstAt: "2026-01-01T00:00:01.000001Z",
        lastAt: "2026-01-01T00:00:07.000001Z",
        reporter: "scheduler",
      },
    },
    {
      name: "one with nothing but its creation",
      more: { count: 0 },
      facts: { count: 1, firstAt: "2026-01-01T00:00:09Z", lastAt: "2026-01-01T00:00:09Z", reporter: "" },
    },
  ])("reads $name", ({ more, facts }) => {
    expect(parseEvent(event(more))).toEqual({ ok: true, value: expect.objectContaining(facts) });
  });
});
