import { z } from "zod";
import { Abort, AbortListQuery } from "#lib/contract/abort.ts";
import { listOf } from "#lib/contract/common.ts";
import { MomentQuery, ReleaseCourse, ReleaseMoment } from "#lib/contract/release-course.ts";
import { Release } from "#lib/contract/rollout.ts";
import { ReleaseListQuery } from "#lib/contract/rollout-lists.ts";

/** The part of the endpoint table that is about releases. */
export const releaseEndpoints = {
  listReleases: {
    method: "GET",
    path: "/api/v1/releases",
    summary: "Releases of all rollouts, newest first",
    role: "viewer",
    query: ReleaseListQuery,
    response: listOf(Release),
  },
  listAborts: {
    method: "GET",
    path: "/api/v1/aborts",
    summary: "Aborted releases, the last first, each with who aborted it: a person, another client, or the controller",
    role: "viewer",
    query: AbortListQuery,
    response: listOf(Abort),
  },
  getRelease: {
    method: "GET",
    path: "/api/v1/releases/{id}",
    summary: "One release",
    role: "viewer",
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({}),
    response: Release,
  },
  getReleaseCourse: {
    method: "GET",
    path: "/api/v1/releases/{id}/course",
    summary: "The course of a release: moments, analyses, acts, findings, and where the time went",
    role: "viewer",
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({}),
    response: ReleaseCourse,
  },
  getReleaseMoment: {
    method: "GET",
    path: "/api/v1/releases/{id}/moment",
    summary: "A release as it stood at one moment, with what could have been done",
    role: "viewer",
    params: z.strictObject({ id: z.string() }),
    query: MomentQuery,
    response: ReleaseMoment,
  },
} as const;
