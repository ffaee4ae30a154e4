import { z } from "zod";
import { RolloutEvent, RolloutEventQuery, RolloutPod, RolloutPodQuery } from "#lib/contract/cluster-objects.ts";
import { listOf } from "#lib/contract/common.ts";
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
  listRolloutPods: {
    method: "GET",
    path: `${rollout}/pods`,
    summary: "Pods of a rollout's ReplicaSets and Experiments, live and past, newest first",
    role: "viewer",
    params: RolloutPath,
    query: RolloutPodQuery,
    response: listOf(RolloutPod),
  },
  listRolloutEvents: {
    method: "GET",
    path: `${rollout}/events`,
    summary: "Kubernetes events about a rollout and its objects, newest first",
    role: "viewer",
    params: RolloutPath,
    query: RolloutEventQuery,
    response: listOf(RolloutEvent),
  },
  getRolloutLogs: {
    method: "GET",
    path: `${rollout}/logs`,
    summary: "The pods of a rollout's versions with their containers, read from the cluster as the user",
    role: "viewer",
    params: RolloutPath,
    query: RolloutLogsQuery,
    response: RolloutLogs,
  },
  streamRolloutLogLines: {
    method: "GET",
    path: `${rollout}/logs/lines`,
    summary: "Lines of the logs of some of these pods, as JSON lines, read from the cluster as the user; never stored",
    role: "viewer",
    params: RolloutPath,
    query: RolloutLogLinesQuery,
    contentTypes: ["application/x-ndjson"],
  },
  listExperiments: {
    method: "GET",
    path: "/api/v1/experiments",
    summary: "Experiments, live and past, newest first",
    role: "viewer",
    query: ExperimentListQuery,
    response: listOf(ExperimentSummary),
  },
  getExperiment: {
    method: "GET",
    path: "/api/v1/experiments/{uid}",
    summary: "One Experiment with its ReplicaSets, analyses and runs",
    role: "viewer",
    params: z.strictObject({ uid: z.string() }),
    query: z.strictObject({}),
    response: ExperimentDetail,
  },
  listTemplates: {
    method: "GET",
    path: "/api/v1/templates",
    summary: "Analysis templates of both kinds, with the metrics of their current spec",
    role: "viewer",
    query: TemplateListQuery,
    response: listOf(TemplateSummary),
  },
  getTemplate: {
    method: "GET",
    path: template,
    summary: "One analysis template with its current spec and the rollouts that use it",
    role: "viewer",
    params: TemplatePath,
    query: z.strictObject({}),
    response: TemplateDetail,
  },
  listTemplateVersions: {
    method: "GET",
    path: `${template}/versions`,
    summary: "Every recorded spec of an analysis template, newest first",
    role: "viewer",
    params: TemplatePath,
    query: TemplateVersionQuery,
    response: listOf(TemplateVersion),
  },
} as const;
