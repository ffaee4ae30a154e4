import { z } from "zod";
import { AdminAccess, ClusterPermissions, PermissionAnswer, PermissionQuery } from "#lib/contract/admin-access.ts";

const NoQuery = z.strictObject({});

/** The part of the endpoint table for the admin's pages. Every one needs the role admin for everything. */
export const adminEndpoints = {
  getAdminAccess: {
    method: "GET",
    path: "/api/v1/admin/access",
    summary: "The role bindings in force, with what looks wrong in them, and the people who are known",
    role: "admin",
    query: NoQuery,
    response: AdminAccess,
  },
  explainPermissions: {
    method: "GET",
    path: "/api/v1/admin/permissions",
    summary: "What somebody may do at a place, and why; decided as a real request is",
    role: "admin",
    query: PermissionQuery,
    response: PermissionAnswer,
  },
  askClusterPermissions: {
    method: "GET",
    path: "/api/v1/admin/permissions/cluster",
    summary: "What the cluster's own RBAC lets somebody do at a place; asks the cluster",
    role: "admin",
    query: PermissionQuery,
    response: ClusterPermissions,
  },
} as const;
