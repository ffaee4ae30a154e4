import { z } from "zod";
import { ListQuery, ownedBy, pages, RolloutKind, RolloutPhase, sortedBy, timeSpanOf } from "#lib/contract/common.ts";
import { TimeZone } from "#lib/contract/insight.ts";
import { Release } from "#lib/contract/rollout.ts";
import { releaseFigureNames } from "#lib/domain/insights/figures.ts";
import { rolloutNeeds } from "#lib/domain/waiting/rank-wait.ts";

export const rolloutSorts = ["name", "cluster", "need", "waitingSince"] as const;

const RolloutNeed = z.enum(rolloutNeeds);

export const RolloutListQuery = ListQuery.extend({
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  kind: RolloutKind.optional(),
  phase: RolloutPhase.optional(),
  attention: z
    .enum(["any", "person", "inconclusive", "pause", "blueGreenPromotion", "gate", "degraded", "finding"])
    .optional()
    .describe("Why it needs attention. person: any reason that only a person's decision ends; any: any reason."),
  need: RolloutNeed.optional().describe(
    "What it needs. decide: a person's decision; fix: it is degraded; look: it has a finding; underway: nothing, it is in progress; other: none of these, and it is not healthy.",
  ),
  version: z.string().max(200).optional().describe("Part of an image, such as a tag, case-insensitively."),
  ...ownedBy,
  q: z.string().max(200).optional().describe("Matches name or namespace, case-insensitively."),
  sort: sortedBy(rolloutSorts, "name"),
});
export type RolloutListQuery = z.infer<typeof RolloutListQuery>;

export const RolloutCountQuery = RolloutListQuery.omit({ ...pages, sort: true, need: true });
export type RolloutCountQuery = z.infer<typeof RolloutCountQuery>;

export const RolloutCounts = z.object({ needs: z.record(RolloutNeed, z.number().int()) });
export type RolloutCounts = z.infer<typeof RolloutCounts>;

export const RolloutExportQuery = RolloutListQuery.omit(pages);
export type RolloutExportQuery = z.infer<typeof RolloutExportQuery>;

export const releaseSorts = ["startedAt", "state", "duration"] as const;

export const ReleaseListQuery = ListQuery.extend({
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  state: Release.shape.state.optional(),
  version: z.string().max(200).optional().describe("Part of an image, such as a tag, case-insensitively."),
  person: z.string().max(200).optional().describe("Part of the name of a person who acted on it, case-insensitively."),
  figure: z.enum(releaseFigureNames).optional().describe("Releases that a figure of the insights counts."),
  waitHour: z.coerce
    .number()
    .int()
    .min(0)
    .max(23)
    .optional()
    .describe("Ended releases that began to wait for a person in this hour of a day, in the time zone."),
  timeZone: TimeZone.optional().describe("Of waitHour; default UTC."),
  ...timeSpanOf("Releases that began"),
  sort: sortedBy(releaseSorts, "-startedAt"),
});
export type ReleaseListQuery = z.infer<typeof ReleaseListQuery>;

export const ReleaseExportQuery = ReleaseListQuery.omit(pages);
export type ReleaseExportQuery = z.infer<typeof ReleaseExportQuery>;
