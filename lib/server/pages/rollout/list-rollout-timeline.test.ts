import { expect, it } from "vitest";
import { findReleaseAt, type TimelineRelease } from "./list-rollout-timeline.ts";

const releaseOf = (id: string, startedAt: string): TimelineRelease => ({
  id,
  revision: 1,
  attempt: 1,
  state: "promoted",
  images: [],
  startedAt,
});
const releases = [releaseOf("new", "2026-11-20T09:00:00.500Z"), releaseOf("old", "2026-11-20T08:00:00.000Z")];

it.each([
  ["2026-11-20T10:00:00.000Z", "new"],
  ["2026-11-20T09:00:00.500Z", "new"],
  ["2026-11-20T09:00:00.499Z", "old"],
  ["2026-11-20T07:59:59.999Z", undefined],
])("%s is of %s", (at, id) => {
  expect(findReleaseAt(releases, at)?.id).toBe(id);
});
