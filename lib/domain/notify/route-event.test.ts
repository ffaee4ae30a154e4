import { describe, expect, it } from "vitest";
import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { type NotifiableEvent, notifiableKinds } from "./notifiable-event.ts";
import { channelsOf, isHeld, isQuiet, type NotificationRoute, type QuietHours, routeEvent } from "./route-event.ts";
import { sampleEvent } from "./testing/sample-event.ts";

const all: NotificationRoute = {
  name: "all",
  scope: everywhere,
  events: notifiableKinds,
  minSeverity: "info",
  to: ["a"],
};

type Case = {
  name: string;
  routes: Partial<NotificationRoute>[];
  event?: Partial<NotifiableEvent>;
  owner?: { name: string; channel?: string };
  to: string[];
};
const shop = { name: "Shop", channel: "shop-channel" };

describe("routeEvent", () => {
  it.each<Case>([
    { name: "no route", routes: [], to: [] },
    { name: "a route for everything", routes: [{}], to: ["a"] },
    { name: "a kind that it does not name", routes: [{ events: ["action"] }], to: [] },
    { name: "a severity below its limit", routes: [{ minSeverity: "warning" }], to: [] },
    {
      name: "a severity at its limit",
      routes: [{ minSeverity: "warning" }],
      event: { severity: "warning" },
      to: ["a"],
    },
    { name: "a severity above it", routes: [{ minSeverity: "warning" }], event: { severity: "critical" }, to: ["a"] },
    { name: "another cluster", routes: [{ scope: { ...everywhere, clusters: ["lab"] } }], to: [] },
    { name: "a pattern of namespaces", routes: [{ scope: { ...everywhere, namespaces: ["sh*"] } }], to: ["a"] },
    { name: "another kind of rollout", routes: [{ scope: { ...everywhere, rollouts: ["Canary/*"] } }], to: [] },
    {
      name: "a finding about a source, by a route for every namespace",
      routes: [{}],
      event: { kind: "finding-opened", target: { cluster: "prod", namespace: "", kind: null, name: "" } },
      to: ["a"],
    },
    {
      name: "a finding about a source, by a route for one namespace",
      routes: [{ scope: { ...everywhere, namespaces: ["shop"] } }],
      event: { kind: "finding-opened", target: { cluster: "prod", namespace: "", kind: null, name: "" } },
      to: [],
    },
    { name: "a test, which is never routed", routes: [{}], event: { kind: "test" }, to: [] },
    { name: "the team of a route", routes: [{ team: "Shop" }], owner: shop, to: ["a"] },
    { name: "another team", routes: [{ team: "Payments" }], owner: shop, to: [] },
    { name: "no team, by a route of one", routes: [{ team: "Shop" }], to: [] },
    { name: "the channel of the team", routes: [{ to: undefined }], owner: shop, to: ["shop-channel"] },
    {
      name: "the channel of a named team",
      routes: [{ team: "Shop", to: undefined }],
      owner: shop,
      to: ["shop-channel"],
    },
    { name: "a team without a channel", routes: [{ to: undefined }], owner: { name: "Shop" }, to: [] },
    { name: "no team, by a route to the channels of teams", routes: [{ to: undefined }], to: [] },
    {
      name: "a severity below the limit of a route to the channels of teams",
      routes: [{ to: undefined, minSeverity: "critical" }],
      owner: shop,
      to: [],
    },
    { name: "two channels", routes: [{ to: ["a", "b"] }], to: ["a", "b"] },
    { name: "two routes to one channel: once", routes: [{}, { name: "again", to: ["a", "b"] }], to: ["a", "b"] },
  ])("$name", ({ routes, event = {}, owner, to }) => {
    const routed = routeEvent(
      sampleEvent("1", event),
      routes.map((route) => ({ ...all, ...route })),
      owner,
    );
    expect(routed.map(({ channel }) => channel)).toEqual(to);
  });

  it.each([
    { route: { to: ["a"] }, channels: ["a"] },
    { route: { team: "Shop", to: ["a"] }, channels: ["a"] },
    { route: {}, channels: ["shop-channel", "other"] },
    { route: { team: "Shop" }, channels: ["shop-channel"] },
    { route: { team: "Silent" }, channels: [] },
  ])("may lead to $channels: $route", ({ route, channels }) => {
    expect(channelsOf(route, [shop, { name: "Other", channel: "other" }, { name: "Silent" }])).toEqual(channels);
  });

  it("names the routes that lead to a channel", () => {
    const routes = [all, { ...all, name: "again", to: ["a", "b"] }];
    expect(routeEvent(sampleEvent("1"), routes)).toEqual([
      { channel: "a", routes: ["all", "again"] },
      { channel: "b", routes: ["again"] },
    ]);
  });
});

describe("isHeld", () => {
  const quietHours = { start: "22:00", end: "07:00", timeZone: "UTC" } as const;
  const quiet = { ...all, name: "quiet", quietHours };
  const now = new Date("2026-11-23T23:00:00Z");
  it.each([
    { name: "its only route is quiet", cameBy: ["quiet"], severity: "info", held: true },
    { name: "it is critical", cameBy: ["quiet"], severity: "critical", held: false },
    { name: "another route is not quiet", cameBy: ["quiet", "all"], severity: "info", held: false },
    { name: "its route is gone from the config", cameBy: ["gone"], severity: "info", held: false },
    { name: "one route is gone, the other quiet", cameBy: ["gone", "quiet"], severity: "info", held: true },
  ] as const)("$name", ({ cameBy, severity, held }) => {
    expect(isHeld({ routes: [all, quiet], cameBy, severity, now })).toBe(held);
  });
});

describe("isQuiet", () => {
  const night: QuietHours = { start: "22:00", end: "07:00", timeZone: "UTC" };
  const lunch: QuietHours = { ...night, start: "12:00", end: "13:00" };
  const berlin: QuietHours = { ...night, timeZone: "Europe/Berlin" };

  it.each<[name: string, hours: QuietHours, severity: FindingSeverity, now: string, quiet: boolean]>([
    ["before the night", night, "info", "2026-11-23T21:59:59Z", false],
    ["at its start", night, "info", "2026-11-23T22:00:00Z", true],
    ["after midnight", night, "warning", "2026-11-24T00:30:00Z", true],
    ["at midnight", night, "warning", "2026-11-24T00:00:00Z", true],
    ["in its last second", night, "info", "2026-11-24T06:59:59Z", true],
    ["at its end", night, "info", "2026-11-24T07:00:00Z", false],
    ["critical passes", night, "critical", "2026-11-24T00:30:00Z", false],
    ["within a day", lunch, "info", "2026-11-23T12:30:00Z", true],
    ["within a day, before", lunch, "info", "2026-11-23T11:59:00Z", false],
    ["within a day, at its end", lunch, "info", "2026-11-23T13:00:00Z", false],
    ["by the wall clock of the zone, in winter", berlin, "info", "2026-11-23T21:00:00Z", true],
    ["by the wall clock of the zone, in winter, before", berlin, "info", "2026-11-23T20:59:00Z", false],
    ["by the wall clock of the zone, in summer", berlin, "info", "2026-07-23T20:00:00Z", true],
    ["by the wall clock of the zone, in summer, before", berlin, "info", "2026-07-23T19:59:00Z", false],
    [
      "in the hour that autumn repeats",
      { ...berlin, start: "02:00", end: "03:00" },
      "info",
      "2026-10-25T01:30:00Z",
      true,
    ],
  ])("%s", (_, hours, severity, now, quiet) => {
    expect(isQuiet({ hours, severity, now: new Date(now) })).toBe(quiet);
  });
});
