import { expect, it } from "vitest";
import type { NotificationChannel, NotificationItem } from "#lib/contract/notification.ts";
import { classifyChannel, classifyNotification, formatEvents, mayRetry, wordTest } from "./classify-notification.ts";

it.each<[NotificationItem["state"], string | null, string, boolean]>([
  ["queued", null, "Queued", false],
  ["queued", "answered 500", "Retrying", false],
  ["sending", "answered 500", "Sending", false],
  ["sent", null, "Sent", false],
  ["sent", "the server refused 1 of its recipients", "Sent", false],
  ["failed", "answered 500", "Given up", true],
  ["suppressed", "no such channel", "Suppressed", true],
])("%s with error %s is %s", (state, lastError, word, retries) => {
  expect(classifyNotification({ state, lastError }).word).toBe(word);
  expect(mayRetry({ state })).toBe(retries);
});

const channel: NotificationChannel = {
  name: "releases",
  type: "slack",
  routes: [],
  lastSuccessAt: null,
  lastErrorAt: null,
  lastError: null,
  waiting: 0,
  failed: 0,
  test: null,
};

it.each<[Partial<NotificationChannel>, string]>([
  [{}, "Not used yet"],
  [{ lastSuccessAt: "2026-11-23T10:00:00.000Z" }, "Works"],
  [{ lastSuccessAt: "2026-11-23T10:00:00.000Z", lastError: "answered 500" }, "Failing"],
  [{ lastError: "answered 500" }, "Failing"],
])("channel %j is %s", (change, word) => {
  expect(classifyChannel({ ...channel, ...change }).word).toBe(word);
});

it.each<[Pick<NotificationItem, "events" | "shape">, string]>([
  [{ events: 1, shape: "single" }, "1 event"],
  [{ events: 15, shape: "digest" }, "15 events"],
  [{ events: 1, shape: "test" }, "test"],
  [{ events: 0, shape: "refresh" }, "all open alerts"],
])("%j is %s", (item, text) => {
  expect(formatEvents(item)).toBe(text);
});

it.each<[Parameters<typeof wordTest>[0]["state"], string | null, string]>([
  ["queued", null, "queued"],
  ["queued", "answered 500", "retrying, answered 500"],
  ["sent", "answered 202", "sent, answered 202"],
  ["sent", null, "sent"],
  ["failed", "PagerDuty refused it: invalid event", "given up, PagerDuty refused it: invalid event"],
])("a test that is %s with %s is worded %s", (state, answer, words) => {
  expect(wordTest({ state, at: "2026-11-23T10:00:00.000Z", answer })).toBe(words);
});
