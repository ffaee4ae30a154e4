import { z } from "zod";
import { Approval, ApprovalDecision, ApprovalListQuery, ApprovalRequest } from "#lib/contract/approval.ts";
import { ListQuery, listOf } from "#lib/contract/common.ts";
import { DeviceDecision, DeviceRequest, DeviceRequestPath } from "#lib/contract/device-sign-in.ts";
import { AcknowledgeRequest, InboxAnswer } from "#lib/contract/inbox.ts";
import { RolloutPath } from "#lib/contract/rollout.ts";
import { ApiToken, CreatedToken, CreateTokenRequest, Session } from "#lib/contract/system.ts";
import { Claim, ClaimRequest, Snooze, SnoozeRequest } from "#lib/contract/wait-handling.ts";

const rollout = "/api/v1/rollouts/{cluster}/{namespace}/{kind}/{name}";
const ById = z.strictObject({ id: z.string() });

/** The part of the endpoint table for requests between people, their sessions and their tokens. */
export const personEndpoints = {
  requestApproval: {
    method: "POST",
    path: `${rollout}/approvals`,
    summary: "Requests a second person's approval of an action",
    role: "operator",
    params: RolloutPath,
    body: ApprovalRequest,
    response: Approval,
    status: 201,
  },
  listApprovals: {
    method: "GET",
    path: "/api/v1/approvals",
    summary: "Requests for a second person's approval, newest first",
    role: "viewer",
    query: ApprovalListQuery,
    response: listOf(Approval),
  },
  decideApproval: {
    method: "POST",
    path: "/api/v1/approvals/{id}/decision",
    summary: "Approves, rejects or withdraws a request",
    role: "operator",
    params: ById,
    body: ApprovalDecision,
    response: Approval,
  },
  acknowledge: {
    method: "POST",
    path: `${rollout}/acknowledgement`,
    summary: "Removes a rollout from the inbox until its state changes",
    role: "operator",
    params: RolloutPath,
    body: AcknowledgeRequest,
    response: InboxAnswer,
    status: 201,
  },
  withdrawAcknowledgement: {
    method: "DELETE",
    path: `${rollout}/acknowledgement`,
    summary: "Returns an acknowledged rollout to the inbox",
    role: "operator",
    params: RolloutPath,
    response: InboxAnswer,
  },
  claim: {
    method: "POST",
    path: `${rollout}/claim`,
    summary: "Claims a rollout's wait for you, or extends your claim; does not stop others from acting",
    role: "operator",
    params: RolloutPath,
    body: ClaimRequest,
    response: Claim,
    status: 201,
  },
  releaseClaim: {
    method: "DELETE",
    path: `${rollout}/claim`,
    summary: "Gives up your claim",
    role: "operator",
    params: RolloutPath,
    response: Claim,
  },
  snooze: {
    method: "POST",
    path: `${rollout}/snooze`,
    summary: "Snoozes a rollout's wait for everyone, until a time or until its state changes",
    role: "operator",
    params: RolloutPath,
    body: SnoozeRequest,
    response: Snooze,
    status: 201,
  },
  wake: {
    method: "DELETE",
    path: `${rollout}/snooze`,
    summary: "Ends a snooze",
    role: "operator",
    params: RolloutPath,
    response: Snooze,
  },
  listSessions: {
    method: "GET",
    path: "/api/v1/sessions",
    summary: "Open sessions: your own, or all for an admin",
    role: "viewer",
    query: ListQuery,
    response: listOf(Session),
  },
  revokeSession: {
    method: "DELETE",
    path: "/api/v1/sessions/{id}",
    summary: "Ends a session at once, with its event streams",
    role: "viewer",
    params: ById,
    response: Session,
  },
  listTokens: {
    method: "GET",
    path: "/api/v1/tokens",
    summary: "API tokens: your own, or all for an admin",
    role: "viewer",
    query: ListQuery,
    response: listOf(ApiToken),
  },
  createToken: {
    method: "POST",
    path: "/api/v1/tokens",
    summary: "Creates an API token, no stronger than its owner",
    role: "viewer",
    body: CreateTokenRequest,
    response: CreatedToken,
    status: 201,
  },
  revokeToken: {
    method: "DELETE",
    path: "/api/v1/tokens/{id}",
    summary: "Revokes an API token",
    role: "viewer",
    params: ById,
    response: ApiToken,
  },
  getDeviceRequest: {
    method: "GET",
    path: "/api/v1/device-requests/{userCode}",
    summary: "The terminal that asks to be signed in and shows this code; for people only",
    role: "viewer",
    params: DeviceRequestPath,
    response: DeviceRequest,
  },
  decideDeviceRequest: {
    method: "POST",
    path: "/api/v1/device-requests/{userCode}/decision",
    summary: "Signs a terminal in with a token of yours, or refuses it; for people only",
    role: "viewer",
    params: DeviceRequestPath,
    body: DeviceDecision,
    response: DeviceRequest,
  },
} as const;
