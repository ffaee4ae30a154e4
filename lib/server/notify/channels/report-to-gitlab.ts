import { z } from "zod";
import type { DeploymentStatus } from "#lib/domain/notify/notifiable-event.ts";
import type { Ask, Reporting } from "./code-host.ts";

const statuses = {
  in_progress: "running",
  success: "success",
  failure: "failed",
  inactive: "canceled",
} as const satisfies Record<DeploymentStatus, string>;

const id = z.number().int().positive();
const Deployments = z.array(z.object({ id, sha: z.string(), status: z.string() }));
const Environments = z.array(z.object({ id }));
const Created = z.object({ id });

/**
 * Reports to GitLab's REST API (docs.gitlab.com: deployments, environments). A deployment has no text of ours: the newest
 * one of this commit in this environment is taken, unless it is over and another attempt begins. A new environment gets
 * the link.
 */
export async function reportToGitLab(ask: Ask, report: Reporting): Promise<void> {
  const project = `/projects/${encodeURIComponent(report.repository)}`;
  const status = statuses[report.status];
  const found = await findDeployment(ask, { project, report });
  if (found?.status === status) return;
  if (found !== undefined && (found.status === "running" || found.status === "created")) {
    await ask({ method: "PUT", path: `${project}/deployments/${found.id}`, body: { status } }, Created);
    return;
  }
  await ensureEnvironment(ask, { project, report });
  const { environment, commit: sha } = report;
  // The branch is unknown; GitLab takes a commit in its place.
  const body = { environment, sha, ref: sha, tag: false, status };
  await ask({ method: "POST", path: `${project}/deployments`, body }, Created);
}

type At = { project: string; report: Reporting };

async function findDeployment(ask: Ask, { project, report }: At) {
  const query = new URLSearchParams({ environment: report.environment, order_by: "id", sort: "desc", per_page: "100" });
  const known = await ask({ method: "GET", path: `${project}/deployments?${query}` }, Deployments);
  return known.find(({ sha }) => sha === report.commit);
}

async function ensureEnvironment(ask: Ask, { project, report }: At): Promise<void> {
  const { environment: name, link } = report;
  const path = `${project}/environments`;
  const known = await ask({ method: "GET", path: `${path}?${new URLSearchParams({ name })}` }, Environments);
  if (known.length === 0) await ask({ method: "POST", path, body: { name, external_url: link } }, Created);
}
