import { z } from "zod";
import { AnalysisRunExportQuery } from "#lib/contract/analysis-run.ts";
import { listOf } from "#lib/contract/common.ts";
import { get, post, remove } from "#lib/contract/endpoint.ts";
import { ExperimentExportQuery } from "#lib/contract/experiment.ts";
import {
  ReleaseExportQuery,
  RolloutCountQuery,
  RolloutCounts,
  RolloutExportQuery,
} from "#lib/contract/rollout-lists.ts";
import { SavedView, SavedViewChange, SavedViewListQuery, SavedViewRequest } from "#lib/contract/saved-view.ts";
import { TemplateExportQuery } from "#lib/contract/template.ts";

const ById = z.strictObject({ id: z.string() });
const table = { method: "GET", role: "viewer", contentTypes: ["text/csv"] } as const;

/** The part of the endpoint table that all lists share: counts, the table as CSV, and saved views. */
export const listEndpoints = {
  countRollouts: get("/api/v1/rollouts/counts", "How many rollouts there are, by need", {
    query: RolloutCountQuery,
    response: RolloutCounts,
  }),
  exportRollouts: {
    ...table,
    path: "/api/v1/rollouts/export",
    summary: "The rollouts of the list with the same filters and order, as a CSV table",
    query: RolloutExportQuery,
  },
  exportReleases: {
    ...table,
    path: "/api/v1/releases/export",
    summary: "The releases of the list with the same filters and order, as a CSV table",
    query: ReleaseExportQuery,
  },
  exportRuns: {
    ...table,
    path: "/api/v1/analysis-runs/export",
    summary: "The analysis runs of the list with the same filters and order, as a CSV table",
    query: AnalysisRunExportQuery,
  },
  exportExperiments: {
    ...table,
    path: "/api/v1/experiments/export",
    summary: "The Experiments of the list with the same filters and order, as a CSV table",
    query: ExperimentExportQuery,
  },
  exportTemplates: {
    ...table,
    path: "/api/v1/templates/export",
    summary: "The templates of the list with the same filters and order, as a CSV table",
    query: TemplateExportQuery,
  },
  listSavedViews: get("/api/v1/saved-views", "Your saved views of the lists, and the shared ones of others, by name", {
    query: SavedViewListQuery,
    response: listOf(SavedView),
  }),
  createSavedView: post(
    "/api/v1/saved-views",
    "Saves a view of a list: its filters, order and columns; operators may share it",
    { body: SavedViewRequest, response: SavedView, status: 201 },
  ),
  changeSavedView: post(
    "/api/v1/saved-views/{id}",
    "Renames your saved view, changes its query, shares it or stops sharing it",
    { params: ById, body: SavedViewChange, response: SavedView },
  ),
  deleteSavedView: remove("/api/v1/saved-views/{id}", "Deletes your saved view; an admin may delete any shared one", {
    params: ById,
    response: SavedView,
  }),
} as const;
