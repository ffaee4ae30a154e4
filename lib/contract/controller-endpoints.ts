import { z } from "zod";
import { listOf } from "#lib/contract/common.ts";
import {
  Controller,
  ControllerDetail,
  ControllerPath,
  ControllerSamples,
  ControllerSamplesQuery,
} from "#lib/contract/controller.ts";

/** The part of the endpoint table about the health of controllers. */
export const controllerEndpoints = {
  listControllers: {
    method: "GET",
    path: "/api/v1/controllers",
    summary: "Controllers of all clusters, and components of Prow: whether they are up, and how they do",
    role: "viewer",
    query: z.strictObject({}),
    response: listOf(Controller),
  },
  getController: {
    method: "GET",
    path: "/api/v1/controllers/{cluster}/{component}",
    summary: "One controller, with its series",
    role: "viewer",
    params: ControllerPath,
    query: z.strictObject({}),
    response: ControllerDetail,
  },
  listControllerSamples: {
    method: "GET",
    path: "/api/v1/controllers/{cluster}/{component}/samples",
    summary: "Samples of a controller over hours or days, for charts",
    role: "viewer",
    params: ControllerPath,
    query: ControllerSamplesQuery,
    response: ControllerSamples,
  },
} as const;
