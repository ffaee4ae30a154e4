import { z } from "zod";
import { AnalysisRunExportQuery } from "#lib/contract/analysis-run.ts";
import { listOf } from "#lib/contract/common.ts";
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
  countRollouts: {
    method: "GET",
    path: "/api/v1/rollouts/counts",
    summary: "How many rollouts there are, by need",
    role: "viewer",
    query: RolloutCountQuery,
    response: RolloutCounts,
  },
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
  listSavedViews: {
    method: "GET",
    path: "/api/v1/saved-views",
    summary: "Your saved views of the lists, and the shared ones of others, by name",
    role: "viewer",
    query: SavedViewListQuery,
    response: listOf(SavedView),
  },
  createSavedView: {
    method: "POST",
    path: "/api/v1/saved-views",
    summary: "Saves a view of a list: its filters, order and columns; operators may share it",
    role: "viewer",
    body: SavedViewRequest,
    response: SavedView,
    status: 201,
  },
  changeSavedView: {
    method: "POST",
    path: "/api/v1/saved-views/{id}",
    summary: "Renames your saved view, changes its query, shares it or stops sharing it",
    role: "viewer",
    params: ById,
    body: SavedViewChange,
    response: SavedView,
  },
  deleteSavedView: {
    method: "DELETE",
    path: "/api/v1/saved-views/{id}",
    summary: "Deletes your saved view; an admin may delete any shared one",
    role: "viewer",
    params: ById,
    response: SavedView,
  },
} as const;
