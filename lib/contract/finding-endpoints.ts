import { z } from "zod";
import { listOf } from "#lib/contract/common.ts";
import { get, post, remove } from "#lib/contract/endpoint.ts";
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
  listFindings: get(
    "/api/v1/findings",
    "Findings of the oversight rules: with a state other than closed by severity, otherwise newest first",
    { query: FindingListQuery, response: listOf(Finding) },
  ),
  countFindings: get("/api/v1/findings/counts", "How many findings are open, by severity", {
    query: z.strictObject({}),
    response: FindingCounts,
  }),
  getFinding: get("/api/v1/findings/{id}", "One finding with its evidence and what its rule means", {
    params: ById,
    query: z.strictObject({}),
    response: FindingDetail,
  }),
  acknowledgeFinding: post(
    "/api/v1/findings/{id}/acknowledge",
    "Marks a finding as seen, until it closes or becomes more severe",
    { role: "operator", params: ById, body: AcknowledgeFindingRequest, response: FindingDetail },
  ),
  withdrawFinding: remove("/api/v1/findings/{id}/acknowledge", "Takes the acknowledgement of a finding back", {
    role: "operator",
    params: ById,
    response: FindingDetail,
  }),
} as const;
