import { z } from "zod";
import { listOf } from "#lib/contract/common.ts";
import {
  Controller,
  ControllerDetail,
  ControllerPath,
  ControllerSamples,
  ControllerSamplesQuery,
} from "#lib/contract/controller.ts";
import { get } from "#lib/contract/endpoint.ts";

/** The part of the endpoint table about the health of controllers. */
export const controllerEndpoints = {
  listControllers: get(
    "/api/v1/controllers",
    "Controllers of all clusters, and components of Prow: whether they are up, and how they do",
    { query: z.strictObject({}), response: listOf(Controller) },
  ),
  getController: get("/api/v1/controllers/{cluster}/{component}", "One controller, with its series", {
    params: ControllerPath,
    query: z.strictObject({}),
    response: ControllerDetail,
  }),
  listControllerSamples: get(
    "/api/v1/controllers/{cluster}/{component}/samples",
    "Samples of a controller over hours or days, for charts",
    { params: ControllerPath, query: ControllerSamplesQuery, response: ControllerSamples },
  ),
} as const;
