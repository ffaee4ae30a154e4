import { z } from "zod";
import { parseJson } from "#lib/util/json.ts";
import type { Ask, Reporting } from "./code-host.ts";

const id = z.number().int().positive();
/** GitHub returns a payload as it was given, or as text. */
const Deployments = z.array(z.object({ id, payload: z.unknown() }));
const Statuses = z.array(z.object({ id, state: z.string() }));
const Created = z.object({ id });

/**
 * Reports to GitHub's REST API (docs.github.com: deployments, deployment statuses). Our key is in the payload of the
 * deployment: one that was made before an interruption is found by it.
 */
export async function reportToGitHub(ask: Ask, report: Reporting): Promise<void> {
  const repository = `/repos/${report.repository}`;
  const deployment = (await findDeployment(ask, { repository, report })) ?? (await create(ask, { repository, report }));
  const path = `${repository}/deployments/${deployment}/statuses`;
  const known = await ask({ method: "GET", path: `${path}?per_page=100` }, Statuses);
  const newest = known.toSorted((one, other) => other.id - one.id)[0];
  if (newest?.state === report.status) return;
  const { status: state, description, link } = report;
  // A success makes earlier deployments of the same environment inactive.
  await ask({ method: "POST", path, body: { state, description, log_url: link, auto_inactive: true } }, Created);
}

type At = { repository: string; report: Reporting };

async function findDeployment(ask: Ask, { repository, report }: At): Promise<number | undefined> {
  const query = new URLSearchParams({ sha: report.commit, environment: report.environment, per_page: "100" });
  const known = await ask({ method: "GET", path: `${repository}/deployments?${query}` }, Deployments);
  return known.find(({ payload }) => keyOf(payload) === report.key)?.id;
}

function keyOf(payload: unknown): unknown {
  const value = typeof payload === "string" ? parseJson(payload) : payload;
  return typeof value === "object" && value !== null && "gatehouse" in value ? value.gatehouse : undefined;
}

async function create(ask: Ask, { repository, report }: At): Promise<number> {
  const body = {
    ...{ ref: report.commit, environment: report.environment, description: report.description },
    payload: { gatehouse: report.key },
    // It is under way already: GitHub must neither merge anything first nor wait for checks.
    ...{ auto_merge: false, required_contexts: [] },
  };
  return (await ask({ method: "POST", path: `${repository}/deployments`, body }, Created)).id;
}
