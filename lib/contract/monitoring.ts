import { z } from "zod";
import { ListQuery, listOf, PointInTime, RolloutRef, Timestamp } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";

export const annotationKinds = ["release", "step", "action"] as const;
export type AnnotationKind = (typeof annotationKinds)[number];

/** A mark on charts of other tools: its fields are named as Grafana names those of an annotation. */
export const Annotation = z.object({
  id: z.string(),
  kind: z.enum(annotationKinds),
  time: Timestamp,
  timeEnd: Timestamp.nullable().describe("Of a release that has ended; else null."),
  title: z.string(),
  text: z.string(),
  tags: z.string().describe("Separated by commas: kind, state, cluster, namespace, name."),
  rollout: RolloutRef,
  url: z.string().describe("Of its page in Gatehouse."),
});
export type Annotation = z.infer<typeof Annotation>;

export const AnnotationQuery = ListQuery.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(500).describe("Items per page, 1 to 1000."),
  from: PointInTime.optional().describe("At or after this time; default: 24 hours before `to`."),
  to: PointInTime.optional().describe("Before this time; default: now."),
  kind: z.enum(annotationKinds).optional().describe("Only these. Without it: releases and actions; with `name`, all."),
  cluster: z.string().max(253).optional(),
  namespace: z.string().max(253).optional(),
  name: z.string().max(253).optional().describe("Name of the rollout. Steps are listed only with it."),
});
export type AnnotationQuery = z.infer<typeof AnnotationQuery>;

/** The part of the endpoint table for tools that watch other systems: Prometheus and Grafana. */
export const monitoringEndpoints = {
  getRolloutSeries: get("/api/v1/metrics", "Prometheus series about the rollouts that the caller may read", {
    query: z.strictObject({}),
    contentTypes: ["text/plain"],
  }),
  listAnnotations: get(
    "/api/v1/annotations",
    "Releases, steps and actions as annotations for charts, newest first: for Grafana",
    { query: AnnotationQuery, response: listOf(Annotation) },
  ),
} as const;
