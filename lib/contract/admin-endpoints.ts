import { z } from "zod";
import { AdminConfig, AdminFreezes, AdminPolicies, AdminStorage, FreezeQuery } from "#lib/contract/admin.ts";
import {
  AdminAccess,
  ClusterPermissions,
  PermissionAnswer,
  PermissionQuery,
  WhoMay,
  WhoMayQuery,
} from "#lib/contract/admin-access.ts";
import { get, post } from "#lib/contract/endpoint.ts";
import { PolicyReplay, PolicyReplayRequest } from "#lib/contract/policy-replay.ts";

const NoQuery = z.strictObject({});

/** The part of the endpoint table for the admin's pages. Every one needs the role admin for everything. */
export const adminEndpoints = {
  getAdminAccess: get(
    "/api/v1/admin/access",
    "The role bindings in force, with what looks wrong in them, and the people who are known",
    { role: "admin", query: NoQuery, response: AdminAccess },
  ),
  whoMay: get(
    "/api/v1/admin/who-may",
    "Who may carry out an action at a place: known people, robots and tokens, and role bindings",
    { role: "admin", query: WhoMayQuery, response: WhoMay },
  ),
  explainPermissions: get(
    "/api/v1/admin/permissions",
    "What a person may do at a place, and why; decided as a real request is",
    { role: "admin", query: PermissionQuery, response: PermissionAnswer },
  ),
  askClusterPermissions: get(
    "/api/v1/admin/permissions/cluster",
    "What the cluster's own RBAC lets a person do at a place; asks the cluster",
    { role: "admin", query: PermissionQuery, response: ClusterPermissions },
  ),
  listAdminFreezes: get(
    "/api/v1/admin/freezes",
    "The freezes in force with their times between two moments, and the actions that broke one",
    { role: "admin", query: FreezeQuery, response: AdminFreezes },
  ),
  getAdminPolicies: get(
    "/api/v1/admin/policies",
    "The policies in force, with how often each refused or asked for a second person in the last 30 days",
    { role: "admin", query: NoQuery, response: AdminPolicies },
  ),
  replayPolicies: post(
    "/api/v1/admin/policies/replay",
    "What rules, of the config or proposed, would have decided about the audited actions of the last days; changes nothing",
    { role: "admin", body: PolicyReplayRequest, response: PolicyReplay },
  ),
  getAdminConfig: get(
    "/api/v1/admin/config",
    "The config in force with the origin of each value, secrets masked, and the changes of a held file",
    { role: "admin", query: NoQuery, response: AdminConfig },
  ),
  getAdminStorage: get("/api/v1/admin/storage", "The database by table, its growth, retention, leases and queues", {
    role: "admin",
    query: NoQuery,
    response: AdminStorage,
  }),
} as const;
