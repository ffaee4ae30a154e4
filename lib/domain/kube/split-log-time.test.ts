import { expect, it } from "vitest";
import { splitLogTime } from "./split-log-time.ts";

it.each([
  ["2026-11-20T08:00:00.123456789Z ready", "2026-11-20T08:00:00.123456789Z", "ready"],
  ["2026-11-20T08:00:00Z  two blanks", "2026-11-20T08:00:00Z", " two blanks"],
  ["2026-11-20T10:00:00.5+02:00 zone", "2026-11-20T10:00:00.5+02:00", "zone"],
  ["2026-11-20T08:00:00.1Z ", "2026-11-20T08:00:00.1Z", ""],
  ["2026-11-20T08:00:00.1Z", "2026-11-20T08:00:00.1Z", ""],
  [
    "unable to retrieve container logs for containerd://1",
    null,
    "unable to retrieve container logs for containerd://1",
  ],
  ["2026-99-20T08:00:00Z no such month", null, "2026-99-20T08:00:00Z no such month"],
  ["", null, ""],
])("%s", (line, at, text) => {
  expect(splitLogTime(line)).toEqual({ at, text });
});
