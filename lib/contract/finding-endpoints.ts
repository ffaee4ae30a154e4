import { z } from "zod";
import { listOf } from "#lib/contract/common.ts";
import {
  AcknowledgeFindingRequest,
  Finding,
  FindingCounts,
  FindingDetail,
  FindingListQuery,
} from "#lib/contract/finding.ts";

const ById = z.strictObject({ id: z.uuid() });

/** The part of the endpoint table about findings. */
export const findingEndpoints = {
  listFindings: {
    method: "GET",
    path: "/api/v1/findings",
    summary: "Findings of the oversight rules: with a state other than closed by severity, otherwise newest first",
    role: "viewer",
    query: FindingListQuery,
    response: listOf(Finding),
  },
  countFindings: {
    method: "GET",
    path: "/api/v1/findings/counts",
    summary: "How many findings are open, by severity",
    role: "viewer",
    query: z.strictObject({}),
    response: FindingCounts,
  },
  getFinding: {
    method: "GET",
    path: "/api/v1/findings/{id}",
    summary: "One finding with its evidence and what its rule means",
    role: "viewer",
    params: ById,
    query: z.strictObject({}),
    response: FindingDetail,
  },
  acknowledgeFinding: {
    method: "POST",
    path: "/api/v1/findings/{id}/acknowledge",
    summary: "Marks a finding as seen, until it closes or becomes more severe",
    role: "operator",
    params: ById,
    body: AcknowledgeFindingRequest,
    response: FindingDetail,
  },
  withdrawFinding: {
    method: "DELETE",
    path: "/api/v1/findings/{id}/acknowledge",
    summary: "Takes the acknowledgement of a finding back",
    role: "operator",
    params: ById,
    response: FindingDetail,
  },
} as const;
