import { z } from "zod";
import {
  Approval,
  ApprovalDecision,
  ApprovalListQuery,
  ApprovalRequest,
  ProposalRequest,
} from "#lib/contract/approval.ts";
import { ListQuery, listOf } from "#lib/contract/common.ts";
import { DeviceDecision, DeviceRequest, DeviceRequestPath } from "#lib/contract/device-sign-in.ts";
import { get, post, remove } from "#lib/contract/endpoint.ts";
import { AcknowledgeRequest, InboxAnswer } from "#lib/contract/inbox.ts";
import { RolloutPath } from "#lib/contract/rollout.ts";
import { ApiToken, CreatedToken, CreateTokenRequest, Session } from "#lib/contract/system.ts";
import { Claim, ClaimRequest, Snooze, SnoozeRequest } from "#lib/contract/wait-handling.ts";

const rollout = "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}";
const ById = z.strictObject({ id: z.string() });

/** The part of the endpoint table for requests between people, their sessions and their tokens. */
export const personEndpoints = {
  requestApproval: post(`${rollout}/approvals`, "Requests a second person's approval of an action", {
    role: "operator",
    params: RolloutPath,
    body: ApprovalRequest,
    response: Approval,
    status: 201,
  }),
  propose: post(
    `${rollout}/proposals`,
    "Proposes an action to the people who may do it, bound to the view that an agent was given; for tokens only",
    { params: RolloutPath, body: ProposalRequest, response: Approval, status: 201 },
  ),
  listApprovals: get(
    "/api/v1/approvals",
    "Requests for a second person's approval, and agents' proposals, newest first",
    {
      query: ApprovalListQuery,
      response: listOf(Approval),
    },
  ),
  decideApproval: post("/api/v1/approvals/{id}/decision", "Approves, rejects or withdraws a request", {
    params: ById,
    body: ApprovalDecision,
    response: Approval,
  }),
  acknowledge: post(`${rollout}/acknowledgement`, "Removes a rollout from the inbox until its state changes", {
    role: "operator",
    params: RolloutPath,
    body: AcknowledgeRequest,
    response: InboxAnswer,
    status: 201,
  }),
  withdrawAcknowledgement: remove(`${rollout}/acknowledgement`, "Returns an acknowledged rollout to the inbox", {
    role: "operator",
    params: RolloutPath,
    response: InboxAnswer,
  }),
  claim: post(
    `${rollout}/claim`,
    "Claims a rollout's wait for you, or extends your claim; does not stop others from acting",
    { role: "operator", params: RolloutPath, body: ClaimRequest, response: Claim, status: 201 },
  ),
  releaseClaim: remove(`${rollout}/claim`, "Gives up your claim", {
    role: "operator",
    params: RolloutPath,
    response: Claim,
  }),
  snooze: post(`${rollout}/snooze`, "Snoozes a rollout's wait for everyone, until a time or until its state changes", {
    role: "operator",
    params: RolloutPath,
    body: SnoozeRequest,
    response: Snooze,
    status: 201,
  }),
  wake: remove(`${rollout}/snooze`, "Ends a snooze", { role: "operator", params: RolloutPath, response: Snooze }),
  listSessions: get("/api/v1/sessions", "Open sessions: your own, or all for an admin", {
    query: ListQuery,
    response: listOf(Session),
  }),
  revokeSession: remove("/api/v1/sessions/{id}", "Ends a session at once, with its event streams", {
    params: ById,
    response: Session,
  }),
  listTokens: get("/api/v1/tokens", "API tokens: your own, or all for an admin", {
    query: ListQuery,
    response: listOf(ApiToken),
  }),
  createToken: post("/api/v1/tokens", "Creates an API token, no stronger than its owner", {
    body: CreateTokenRequest,
    response: CreatedToken,
    status: 201,
  }),
  revokeToken: remove("/api/v1/tokens/{id}", "Revokes an API token", { params: ById, response: ApiToken }),
  getDeviceRequest: get(
    "/api/v1/device-requests/{userCode}",
    "The terminal that asks to be signed in and shows this code; for people only",
    { params: DeviceRequestPath, response: DeviceRequest },
  ),
  decideDeviceRequest: post(
    "/api/v1/device-requests/{userCode}/decision",
    "Signs a terminal in with a token of yours, or refuses it; for people only",
    { params: DeviceRequestPath, body: DeviceDecision, response: DeviceRequest },
  ),
} as const;
