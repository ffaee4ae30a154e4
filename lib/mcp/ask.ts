import { endpoints } from "#lib/contract/endpoint-table.ts";
import type { ProblemCode } from "#lib/contract/problem.ts";

/** The endpoints that answer the tools of agents. */
export const askedEndpoints = [
  "getInbox",
  "getRollout",
  "getRun",
  "listMeasurements",
  "listReleases",
  "getReleaseCourse",
  "backtestAnalysis",
  "listFindings",
  "listAudit",
  "getAuditEntry",
  "propose",
  "actOnRollout",
  "listApprovals",
  "decideApproval",
] as const satisfies (keyof typeof endpoints)[];
export type AskedEndpoint = (typeof askedEndpoints)[number];

export type Sent = {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
};

/** Why the API refused, or that it did not answer. */
export type Refusal = { code: ProblemCode | "network" | "timeout" | "unreadable"; detail: string };
export type Asked = { ok: true; value: unknown } | { ok: false; refusal: Refusal };

/** Calls an endpoint of the API as the owner of the agent's token: in this process, or over HTTP. */
export type Ask = (name: AskedEndpoint, sent: Sent) => Promise<Asked>;

/** Fills the parameters of an endpoint's path. */
export function pathOf(name: AskedEndpoint, { path = {} }: Sent): string {
  return endpoints[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(path[key] ?? "")));
}
