import { z } from "zod";
import { Abort, AbortListQuery } from "#lib/contract/abort.ts";
import { listOf } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";
import { MomentQuery, ReleaseCourse, ReleaseMoment } from "#lib/contract/release-course.ts";
import { Release } from "#lib/contract/rollout.ts";
import { ReleaseListQuery } from "#lib/contract/rollout-lists.ts";

/** The part of the endpoint table that is about releases. */
export const releaseEndpoints = {
  listReleases: get("/api/v1/releases", "Releases of all rollouts, newest first", {
    query: ReleaseListQuery,
    response: listOf(Release),
  }),
  listAborts: get(
    "/api/v1/aborts",
    "Aborted releases, the last first, each with who aborted it: a person, another client, or the controller",
    { query: AbortListQuery, response: listOf(Abort) },
  ),
  getRelease: get("/api/v1/releases/{id}", "One release", {
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({}),
    response: Release,
  }),
  getReleaseCourse: get(
    "/api/v1/releases/{id}/course",
    "The course of a release: moments, analyses, acts, findings, and where the time went",
    { params: z.strictObject({ id: z.string() }), query: z.strictObject({}), response: ReleaseCourse },
  ),
  getReleaseMoment: get(
    "/api/v1/releases/{id}/moment",
    "A release as it stood at one moment, with what could have been done",
    { params: z.strictObject({ id: z.string() }), query: MomentQuery, response: ReleaseMoment },
  ),
} as const;
