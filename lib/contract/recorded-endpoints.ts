import { z } from "zod";
import { RolloutEvent, RolloutEventQuery, RolloutPod, RolloutPodQuery } from "#lib/contract/cluster-objects.ts";
import { listOf } from "#lib/contract/common.ts";
import { get } from "#lib/contract/endpoint.ts";
import { ExperimentDetail, ExperimentListQuery, ExperimentSummary } from "#lib/contract/experiment.ts";
import { RolloutLogLinesQuery, RolloutLogs, RolloutLogsQuery } from "#lib/contract/log.ts";
import { RolloutPath } from "#lib/contract/rollout.ts";
import {
  TemplateDetail,
  TemplateListQuery,
  TemplatePath,
  TemplateSummary,
  TemplateVersion,
  TemplateVersionQuery,
} from "#lib/contract/template.ts";

const rollout = "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}";
const template = "/api/v1/templates/{cluster}/{namespace}/{templateKind}/{name}";

/** The part of the endpoint table for recorded objects other than rollouts and analysis runs. */
export const recordedEndpoints = {
  listRolloutPods: get(
    `${rollout}/pods`,
    "Pods of a rollout's ReplicaSets and Experiments, live and past, newest first",
    { params: RolloutPath, query: RolloutPodQuery, response: listOf(RolloutPod) },
  ),
  listRolloutEvents: get(`${rollout}/events`, "Kubernetes events about a rollout and its objects, newest first", {
    params: RolloutPath,
    query: RolloutEventQuery,
    response: listOf(RolloutEvent),
  }),
  getRolloutLogs: get(
    `${rollout}/logs`,
    "The pods of a rollout's versions with their containers, read from the cluster as the user",
    { params: RolloutPath, query: RolloutLogsQuery, response: RolloutLogs },
  ),
  streamRolloutLogLines: get(
    `${rollout}/logs/lines`,
    "Lines of the logs of some of these pods, as JSON lines, read from the cluster as the user; never stored",
    { params: RolloutPath, query: RolloutLogLinesQuery, contentTypes: ["application/x-ndjson"] },
  ),
  listExperiments: get("/api/v1/experiments", "Experiments, live and past, newest first", {
    query: ExperimentListQuery,
    response: listOf(ExperimentSummary),
  }),
  getExperiment: get("/api/v1/experiments/{uid}", "One Experiment with its ReplicaSets, analyses and runs", {
    params: z.strictObject({ uid: z.string() }),
    query: z.strictObject({}),
    response: ExperimentDetail,
  }),
  listTemplates: get("/api/v1/templates", "Analysis templates of both kinds, with the metrics of their current spec", {
    query: TemplateListQuery,
    response: listOf(TemplateSummary),
  }),
  getTemplate: get(template, "One analysis template with its current spec and the rollouts that use it", {
    params: TemplatePath,
    query: z.strictObject({}),
    response: TemplateDetail,
  }),
  listTemplateVersions: get(`${template}/versions`, "Every recorded spec of an analysis template, newest first", {
    params: TemplatePath,
    query: TemplateVersionQuery,
    response: listOf(TemplateVersion),
  }),
} as const;
