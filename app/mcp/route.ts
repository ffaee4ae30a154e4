import { mcpEndpoint } from "#lib/server/edge/http/mcp-endpoint.ts";
import { POST as backtestAnalysis } from "../api/v1/analysis/backtest/route.ts";
import { GET as listMeasurements } from "../api/v1/analysis-runs/[uid]/measurements/route.ts";
import { GET as getRun } from "../api/v1/analysis-runs/[uid]/route.ts";
import { POST as decideApproval } from "../api/v1/approvals/[id]/decision/route.ts";
import { GET as listApprovals } from "../api/v1/approvals/route.ts";
import { GET as getAuditEntry } from "../api/v1/audit/[seq]/route.ts";
import { GET as listAudit } from "../api/v1/audit/route.ts";
import { GET as listFindings } from "../api/v1/findings/route.ts";
import { GET as getInbox } from "../api/v1/inbox/route.ts";
import { GET as getReleaseCourse } from "../api/v1/releases/[id]/course/route.ts";
import { GET as listReleases } from "../api/v1/releases/route.ts";
import { POST as actOnRollout } from "../api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/actions/route.ts";
import { POST as propose } from "../api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/proposals/route.ts";
import { GET as getRollout } from "../api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";

export const POST = mcpEndpoint({
  getInbox,
  getRollout,
  getRun,
  listMeasurements,
  listReleases,
  getReleaseCourse,
  backtestAnalysis,
  listFindings,
  listAudit,
  getAuditEntry,
  propose,
  actOnRollout,
  listApprovals,
  decideApproval,
});
