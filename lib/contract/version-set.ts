import { z } from "zod";
import { AnalysisPhase, ListQuery, listOf, ownedBy } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";
import { MetricEvidence } from "#lib/contract/evidence.ts";
import { RolloutPath, RolloutSummary } from "#lib/contract/rollout.ts";
import { comparedKinds } from "#lib/domain/delivery/set-differences.ts";
import { standings } from "#lib/domain/delivery/version-set.ts";

const Standing = z
  .enum(standings)
  .describe(
    "How far it has got with the version. inconclusive, waiting: for a person; leaving: it still runs the version, and another one replaces it; notBegun: it runs another version of the same image.",
  );

const Counts = z.record(Standing, z.number().int());

const VersionPath = z.strictObject({
  version: z.string().min(1).max(200).describe("A whole tag or digest of an image, such as v2.31.0."),
});

const Image = z.string().max(512).optional().describe("Only in this image, without its version.");

export const VersionSetQuery = z.strictObject({ image: Image });
export type VersionSetQuery = z.infer<typeof VersionSetQuery> & z.infer<typeof VersionPath>;

/** The rollouts that run or receive a version, and those that run another version of the same images. */
export const VersionSet = z.object({
  version: z.string(),
  images: z.array(z.string()).describe("The images that have the version, without it."),
  imageCounts: z
    .array(
      z.object({
        image: z.string(),
        rollouts: z.number().int().describe("How many run or receive the version of this image."),
        counts: Counts.describe("Of all rollouts with this image, of other versions too."),
        only: RolloutPath.nullable().describe("The rollout, if you may see no other one with this image."),
      }),
    )
    .describe("Each of these images, the one with the most rollouts first."),
  sentence: z.string().describe("Such as `v2.31.0: promoted in 31 of 40, inconclusive in 2, not begun in 7`."),
  total: z.number().int(),
  counts: Counts,
  clusters: z.array(z.object({ cluster: z.string(), total: z.number().int(), counts: Counts })),
  waves: z
    .object({
      label: z.string(),
      items: z.array(
        z.object({
          wave: z.string().nullable().describe("The label's value; null for rollouts without the label."),
          total: z.number().int(),
          counts: Counts,
        }),
      ),
    })
    .nullable()
    .describe(
      "The same by the label that `recording.waveLabel` of the config names, in the order of its values (2 before 10), rollouts without it last. Null if the config names none.",
    ),
});
export type VersionSet = z.infer<typeof VersionSet>;

const memberFilters = {
  image: Image,
  cluster: z.string().optional(),
  namespace: z.string().optional(),
  standing: Standing.optional(),
  label: ownedBy.label,
  q: z.string().max(200).optional().describe("Matches name or namespace, case-insensitively."),
};

export const SetMemberQuery = ListQuery.extend({
  ...memberFilters,
  order: z
    .enum(["need", "address"])
    .default("need")
    .describe(
      "need: the most urgent first. address: by cluster, namespace and name, so that pages miss and repeat no member whose state changes meanwhile.",
    ),
});
export type SetMemberQuery = z.infer<typeof SetMemberQuery> & z.infer<typeof VersionPath>;

export const SetMember = z.object({
  rollout: RolloutSummary,
  standing: Standing,
  current: z
    .boolean()
    .describe(
      "It rolls the version out, or did so last: an action on it is about this version, not about another one.",
    ),
  verdict: z
    .object({ runUid: z.string(), name: z.string(), phase: AnalysisPhase })
    .nullable()
    .describe("The newest analysis run of its current revision."),
  heldBack: z
    .string()
    .nullable()
    .describe("Why it may not pass its pause yet: members of its set have not reached theirs. Null if it may."),
});
export type SetMember = z.infer<typeof SetMember>;

export const SetMetricQuery = z.strictObject(memberFilters);
export type SetMetricQuery = z.infer<typeof SetMetricQuery> & z.infer<typeof VersionPath>;

/** The newest values of each metric that measures this version. */
export const SetMetrics = z.object({
  measured: z.number().int().describe("How many of these rollouts have a run of this version. Items has at most 60."),
  items: z.array(
    z.object({
      rollout: RolloutPath,
      standing: Standing,
      metrics: z.array(MetricEvidence).describe("Each metric once, of the newest run that has it."),
    }),
  ),
});
export type SetMetrics = z.infer<typeof SetMetrics>;

/** A version that was aborted in some members of a set of the config, while others still receive it. */
export const SetAbort = z.object({
  set: z.string().describe("Name of the set in the config, which has `onAbort`."),
  images: z.array(z.string()).describe("The images that the aborted release changes."),
  version: z.string().describe("Their version in words, such as `v2.31.0`."),
  because: z.string().describe("Where it was aborted and how many go on, in a sentence."),
  rollouts: z.array(RolloutSummary).describe("Those that still receive it and that you may see; at most 500."),
});
export type SetAbort = z.infer<typeof SetAbort>;

export const SetAborts = z.object({ items: z.array(SetAbort) });
export type SetAborts = z.infer<typeof SetAborts>;

const ValueGroup = z.object({
  state: z
    .enum(["value", "none", "unknown"])
    .describe(
      "none: these members do not have the field. unknown: not recorded or not readable, and so equal to no other.",
    ),
  value: z.string().nullable().describe("At most 300 characters; null unless the state is `value`."),
  count: z.number().int(),
  isMost: z.boolean().describe("More than half of the members: they are not listed."),
  rollouts: z.array(RolloutPath).describe("At most 20."),
});

/** The fields that are not the same in all members of a set. */
export const SetDifferences = z.object({
  total: z.number().int(),
  compared: z.number().int().describe("At most 2,000, by cluster, namespace and name."),
  fields: z
    .array(
      z.object({
        kind: z
          .enum(comparedKinds)
          .describe(
            "image: as the wanted revision writes it. steps: a digest of the strategy's steps. template: the hash of the recorded spec. argument: as declared.",
          ),
        name: z
          .string()
          .nullable()
          .describe(
            "Such as `AnalysisTemplate/success-rate`, or `threshold of success-rate`; null for image and steps.",
          ),
        groups: z.array(ValueGroup).describe("The largest first, unknown ones last; at most 10 with a known value."),
        moreGroups: z.number().int(),
      }),
    )
    .describe("At most 20; empty if no field differs."),
  moreFields: z.number().int().describe("Further fields that differ."),
  notCompared: z.number().int().describe("Further fields, beyond the first 200."),
});
export type SetDifferences = z.infer<typeof SetDifferences>;

/** The part of the endpoint table for sets of rollouts. */
export const setEndpoints = {
  getSetAborts: get(
    "/api/v1/sets/aborts",
    "Versions that were aborted in some members of a set with `onAbort`, while others still receive them",
    { response: SetAborts },
  ),
  getVersionSet: get(
    "/api/v1/sets/version/{version}",
    "How far a version has got in all rollouts that run or receive it, or run another version of the same image",
    { params: VersionPath, query: VersionSetQuery, response: VersionSet },
  ),
  listVersionMembers: get("/api/v1/sets/version/{version}/members", "The rollouts of this set, the most urgent first", {
    params: VersionPath,
    query: SetMemberQuery,
    response: listOf(SetMember),
  }),
  getVersionMetrics: get(
    "/api/v1/sets/version/{version}/metrics",
    "The metrics of this version, rollout by rollout, the most urgent first",
    { params: VersionPath, query: SetMetricQuery, response: SetMetrics },
  ),
  getVersionDifferences: get(
    "/api/v1/sets/version/{version}/differences",
    "The images, steps, analysis templates and arguments that are not the same in all rollouts of this set",
    { params: VersionPath, query: SetMetricQuery, response: SetDifferences },
  ),
} as const;
