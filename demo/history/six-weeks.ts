import type { HistoryFreeze, HistoryRelease, HistoryService, TemplateChange } from "./story-types.ts";

/**
 * The six weeks before the demo begins. `scripts/history/make-history.ts` plays them: the sandbox's controllers release,
 * the recorder records, and people act through the API. Day 0 is a Monday.
 */
export const historySeed = 20;
/** It ends on the Friday of the sixth week. */
export const historyDays = 42;

export const historyServices: readonly HistoryService[] = [
  { namespace: "payments", name: "checkout", every: 4, hours: [9, 14] },
  { namespace: "storefront", name: "cart", every: 3, hours: [8, 15] },
  {
    ...{ namespace: "storefront", name: "catalog", every: 5, hours: [9, 16] },
    waits: {
      ...{ minutes: [15, 50], overnight: 0.4 },
      reasons: [
        "Product pages open as fast as before.",
        "Prices and stock match the stable version for forty products.",
        "The database has no new slow queries.",
        "Filters and sorting give the same lists as before.",
        "Descriptions and pictures are complete in all languages.",
      ],
    },
  },
  {
    ...{ namespace: "storefront", name: "recommendations", every: 6, hours: [10, 15] },
    waits: {
      ...{ minutes: [10, 90], overnight: 0.2 },
      reasons: [
        "Click rate is level with the old model.",
        "Memory has stayed flat since the new model was loaded.",
        "New customers get full lists too.",
        "Suggestions for a full cart fit what is in the cart.",
        "No sold-out articles in the first row.",
      ],
    },
  },
  { namespace: "search", name: "query-api", every: 5, hours: [9, 15] },
  { namespace: "search", name: "indexer", every: 6, hours: [8, 14] },
  {
    ...{ namespace: "platform", name: "gateway", every: 6, hours: [13, 16] },
    waits: {
      ...{ minutes: [20, 60], overnight: 0.5 },
      reasons: [
        "Handshakes and open connections are level with the old version.",
        "No partner has reported a failed call.",
        "The share of 502s is where it was.",
      ],
    },
  },
  { namespace: "platform", name: "identity", every: 4, hours: [9, 16], pace: 4 },
  {
    ...{ namespace: "accounts", name: "login", every: 7, hours: [9, 13] },
    waits: {
      ...{ minutes: [12, 40], overnight: 0 },
      reasons: [
        "Sign-in by password and by code works in the preview.",
        "Mails to reset a password arrive within a minute.",
        "Sessions of the old version stay valid.",
        "The lock after ten wrong passwords works.",
        "Support has no tickets about sign-in.",
      ],
    },
  },
];

/** The releases worth a line. Routine ones are placed around them by the seed. */
export const notableReleases: readonly HistoryRelease[] = [
  // Week 1: cart's success rate dips while its cache is cold, and the limit is too strict for that.
  {
    ...{ on: "d1 09:20", service: "cart", trouble: "flaky" },
    people: [
      { by: "operator", act: "accept-step", after: "18m", reason: "Dip while the cache warms up, back to 99 %." },
    ],
  },
  {
    ...{ on: "d2 16:10", service: "catalog" },
    people: [{ by: "operator", act: "continue", at: "08:50", reason: "A night at 50 % without a complaint." }],
  },
  {
    ...{ on: "d3 10:15", service: "query-api", trouble: "errors" },
    people: [
      {
        ...{ by: "operator", act: "retry", when: "aborted", after: "35m" },
        reason: "The index node was restarting. Trying the same version again.",
      },
    ],
  },
  // Week 2.
  {
    ...{ on: "d7 10:05", service: "cart", trouble: "flaky" },
    people: [{ by: "admin", act: "accept-step", after: "52m", reason: "Same dip as last week, cold cache." }],
  },
  {
    ...{ on: "d8 09:30", service: "login" },
    people: [
      {
        ...{ by: "operator", act: "promote-full", after: "24m" },
        reason: "The preview has run clean, sign-ins by test users work.",
        approvedBy: { by: "admin", after: "6m20s", reason: "Tried the preview myself." },
      },
    ],
  },
  {
    ...{ on: "d9 13:40", service: "gateway" },
    people: [{ by: "operator", act: "abort", after: "16m", reason: "A partner's client breaks on the new header." }],
  },
  {
    ...{ on: "d10 14:20", service: "gateway" },
    people: [{ by: "operator", act: "continue", after: "41m", reason: "Header is back, partner confirmed." }],
  },
  {
    ...{ on: "d10 11:00", service: "checkout", trouble: "slow" },
    people: [
      {
        ...{ by: "admin", act: "abort", when: "under-way", after: "22m" },
        reason: "p99 is up by half. Not with the sale tomorrow.",
      },
    ],
  },
  // Week 3: cart again, and then its limit is tuned (see `templateChanges`).
  {
    ...{ on: "d14 09:10", service: "cart", trouble: "flaky" },
    people: [
      {
        ...{ by: "operator", act: "accept-step", after: "1h25m" },
        reason: "Third time. Nothing is wrong, the limit is too strict for a cold cache.",
      },
    ],
  },
  { on: "d16 10:30", service: "cart", trouble: "flaky" },
  {
    ...{ on: "d15 16:30", service: "gateway" },
    people: [{ by: "admin", act: "continue", at: "09:20", reason: "Night traffic was fine at 5 %." }],
  },
  {
    ...{ on: "d17 09:45", service: "recommendations" },
    people: [{ by: "kubectl", act: "continue", after: "22m", reason: "" }],
  },
  // Week 4, the bad one: search fails three times, checkout is aborted, catalog waits over a night and is aborted.
  { on: "d21 09:35", service: "query-api", trouble: "errors" },
  {
    ...{ on: "d21 14:10", service: "query-api", trouble: "failures" },
    people: [
      {
        ...{ by: "operator", act: "retry", when: "aborted", after: "28m" },
        reason: "Once more with a larger connection pool.",
      },
    ],
  },
  {
    ...{ on: "d22 10:20", service: "checkout", trouble: "failures" },
    people: [],
  },
  {
    ...{ on: "d22 15:50", service: "catalog", trouble: "slow" },
    people: [{ by: "admin", act: "abort", at: "08:35", reason: "Latency crept up over the night. Back to stable." }],
  },
  {
    ...{ on: "d23 11:15", service: "query-api", trouble: "errors" },
    people: [
      {
        ...{ by: "operator", act: "retry", when: "aborted", after: "2h50m", isRefused: true },
        reason: "The cause is found, one more try.",
      },
    ],
  },
  {
    ...{ on: "d23 13:30", service: "identity", trouble: "uncertain" },
    people: [{ by: "operator", act: "abort", after: "19m", reason: "Not in a week like this." }],
  },
  {
    ...{ on: "d24 10:00", service: "indexer", trouble: "failures" },
    people: [],
  },
  // Week 5: repaired, one by one.
  { on: "d28 09:30", service: "query-api" },
  { on: "d28 13:20", service: "checkout" },
  {
    ...{ on: "d29 10:10", service: "catalog" },
    people: [{ by: "operator", act: "continue", after: "1h50m", reason: "Watched it for two hours this time." }],
  },
  { on: "d29 14:40", service: "indexer" },
  { on: "d30 09:50", service: "identity" },
  {
    ...{ on: "d31 10:20", service: "login" },
    people: [
      {
        by: "operator",
        act: "promote-full",
        after: "9m",
        isRefused: true,
        reason: "Passkeys work on all test devices.",
      },
      {
        ...{ by: "operator", act: "promote-full", after: "22m" },
        reason: "Passkeys work on all test devices, and the old sign-in works too.",
        approvedBy: { by: "admin", after: "14m10s", reason: "Agreed with the support team, they know." },
      },
    ],
  },
  // Week 6.
  {
    ...{ on: "d35 10:40", service: "checkout", trouble: "uncertain" },
    people: [
      {
        ...{ by: "operator", act: "accept-step", after: "47m" },
        reason: "Payments provider had a hiccup at 11:10, both versions show it.",
      },
    ],
  },
  {
    ...{ on: "d36 14:30", service: "gateway" },
    people: [{ by: "operator", act: "continue", at: "09:05", reason: "Nothing over the night." }],
  },
  {
    ...{ on: "d37 10:00", service: "recommendations", trouble: "slow" },
    people: [{ by: "operator", act: "abort", after: "14m", reason: "Wrong model file in the image." }],
  },
  {
    ...{ on: "d38 09:30", service: "recommendations" },
    people: [{ by: "operator", act: "continue", after: "26m", reason: "Right model now, checked the version." }],
  },
  { on: "d39 10:10", service: "query-api" },
  {
    ...{ on: "d39 13:10", service: "catalog" },
    people: [{ by: "admin", act: "continue", after: "38m", reason: "Level with stable in every chart." }],
  },
];

/** A limit that was too strict at first, and the day on which its team changed it. */
export const templateChanges: readonly TemplateChange[] = [
  {
    ...{ on: "d15 11:30", namespace: "storefront", template: "cart-slo", metric: "success-rate" },
    successCondition: { before: "result[0] >= 0.975", after: "result[0] >= 0.95" },
  },
];

/** Freezes that people made. */
export const historyFreezes: readonly HistoryFreeze[] = [
  {
    ...{ on: "d23 12:10", by: "admin", namespaces: ["search"], hours: 72 },
    reason: "Three failed releases of query-api in three days. Nothing moves until the cause is known.",
    ended: {
      on: "d24 09:25",
      reason:
        "Cause found: query-api opened a connection for each search and ran out of them. The next version shares them.",
    },
  },
];
