import type { ServerResponse } from "node:http";
import { parseJson } from "#lib/util/json.ts";
import { listFaults } from "#test/published/validate-published.ts";
import { type NotificationReceiver, type ReceivedRequest, startNotificationReceiver } from "./notification-receiver.ts";

type Body = Record<string, unknown>;
type Deployment = { id: number; repository: string; statuses: Body[] } & Body;

export type CodeHostDouble = {
  url: string;
  deployments: Deployment[];
  /** GitLab's, by name. */
  environments: Map<string, Body>;
  faults: string[];
  /** Methods and paths, without queries. */
  requests: string[];
  tokens: Set<string | undefined>;
  /** Does what the next request of this method asks for, and answers it with this status. */
  loseAnswer(method: string, status: number): void;
  /** Answers everything like this, and does nothing; undefined: works again. */
  refuse(answer: { status: number; headers?: Record<string, string> } | undefined): void;
  close(): Promise<void>;
};

type Answer = [status: number, body: unknown];
type Asked = { method: string; path: string; query: URLSearchParams; body: Body };

/** Starts a server that behaves as the deployments of GitHub's or GitLab's REST API, and checks bodies. */
export async function startCodeHost(provider: "github" | "gitlab"): Promise<CodeHostDouble> {
  const receiver: NotificationReceiver = await startNotificationReceiver();
  const deployments: Deployment[] = [];
  const environments = new Map<string, Body>();
  const [faults, requests]: [string[], string[]] = [[], []];
  const tokens = new Set<string | undefined>();
  let refusal: { status: number; headers?: Record<string, string> } | undefined;
  let lost: { method: string; status: number } | undefined;
  let nextId = 1;

  const check = (kind: string, body: Body): boolean => {
    const found = listFaults(provider === "github" ? "gitHub" : "gitLab", { [kind]: body });
    faults.push(...found);
    return found.length === 0;
  };
  const add = (repository: string, body: Body): Deployment => {
    const made = { ...body, id: nextId++, repository, statuses: [] };
    deployments.push(made);
    return made;
  };

  function github({ method, path, query, body }: Asked): Answer {
    if (path === "/rate_limit") return [200, { resources: {} }];
    const [, repository = "", id, list] =
      /^\/repos\/([^/]+\/[^/]+)\/deployments(?:\/(\d+)(\/statuses))?$/.exec(path) ?? [];
    const known = deployments.filter((each) => each.repository === repository);
    if (list === undefined) {
      if (method === "POST") return check("deployment", body) ? [201, add(repository, body)] : [422, {}];
      const isAsked = ({ ref, environment }: Deployment) =>
        ref === query.get("sha") && environment === query.get("environment");
      return [200, known.filter(isAsked).toReversed()];
    }
    const deployment = known.find((each) => each.id === Number(id));
    if (deployment === undefined) return [404, {}];
    if (method === "GET") return [200, deployment.statuses.toReversed()];
    if (!check("status", body)) return [422, {}];
    if (body.state === "success" && body.auto_inactive === true)
      for (const other of known)
        if (other !== deployment && other.environment === deployment.environment)
          other.statuses.push({ id: nextId++, state: "inactive" });
    deployment.statuses.push({ id: nextId++, ...body });
    return [201, deployment.statuses.at(-1)];
  }

  function gitlab({ method, path, query, body }: Asked): Answer {
    if (path === "/api/v4/version") return [200, { version: "18.6.0" }];
    const [, project = "", kind, id] =
      /^\/api\/v4\/projects\/([^/]+)\/(deployments|environments)(?:\/(\d+))?$/.exec(path) ?? [];
    if (kind === undefined) return [404, {}];
    if (kind === "environments") {
      const name = String(method === "GET" ? query.get("name") : body.name);
      const found = environments.get(name);
      if (method === "GET") return [200, found === undefined ? [] : [found]];
      if (!check("environment", body) || found !== undefined) return [400, {}];
      environments.set(name, { id: nextId++, ...body });
      return [201, environments.get(name)];
    }
    const repository = decodeURIComponent(project);
    const known = deployments.filter((each) => each.repository === repository);
    if (method === "GET")
      return [200, known.filter(({ environment }) => environment === query.get("environment")).toReversed()];
    if (method === "POST") return check("deployment", body) ? [201, add(repository, body)] : [400, {}];
    const deployment = known.find((each) => each.id === Number(id));
    if (deployment === undefined || !check("change", body)) return [400, {}];
    return [200, Object.assign(deployment, body)];
  }

  const send = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  receiver.answer((response, { method, url, headers, body }: ReceivedRequest) => {
    const { pathname: path, searchParams: query } = new URL(url, "http://host");
    requests.push(`${method} ${path}`);
    tokens.add(headers.authorization);
    if (refusal !== undefined) return send(response, refusal.status, {}, refusal.headers);
    const asked = { method, path, query, body: (parseJson(body) ?? {}) as Body };
    const [status, said] = provider === "github" ? github(asked) : gitlab(asked);
    const isLost = lost?.method === method;
    send(response, isLost ? (lost?.status ?? 500) : status, isLost ? {} : said);
    if (isLost) lost = undefined;
  });
  return {
    url: new URL(receiver.url).origin,
    ...{ deployments, environments, faults, requests, tokens },
    loseAnswer: (method, status) => {
      lost = { method, status };
    },
    refuse: (answer) => {
      refusal = answer;
    },
    close: () => receiver.close(),
  };
}
