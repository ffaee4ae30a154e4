import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryFile } from "#lib/server/platform/config/program-files.ts";
import { CommandError } from "../command-line.ts";
import type { DataDirectory } from "./data-directory.ts";
import { auditUrlFile, gateUrlFile } from "./demo-files.ts";
import { findFreePort } from "./free-port.ts";
import { startChild, withoutSecrets } from "./own-processes.ts";
import type { ServiceStack } from "./service-stack.ts";
import type { SupervisedChild } from "./supervised-child.ts";

export type SandboxOptions = {
  speed: number;
  seed: number;
  loadDirectory: string | undefined;
  faults: boolean;
  /** The rollouts whose scenarios play, `namespace/name`; undefined for all. */
  only?: readonly string[] | undefined;
};

export type Sandbox = {
  child: SupervisedChild;
  port: number;
  /** Where its controllers, and Prow's, show their metrics. */
  metricsPort: number;
  server: string;
  /** Of a cluster admin. */
  tokenFile: string;
  token: string;
  /** Of Gatehouse's own account. */
  gatehouseTokenFile: string;
};

/** Starts the embedded cluster, the demo's replacement for a Kubernetes API server, and waits until it listens. */
export async function startSandbox(options: {
  stack: ServiceStack;
  data: DataDirectory;
  preferredPort: number | undefined;
  preferredMetricsPort: number | undefined;
  sandbox: SandboxOptions;
}): Promise<Sandbox> {
  const { stack, data, sandbox } = options;
  const port = await findFreePort(options.preferredPort);
  const metricsPort = await findFreePort(options.preferredMetricsPort);
  const child = startChild({
    stack,
    data,
    name: "sandbox",
    // Keeps the same port across restarts: the config of web and recorder names it.
    args: () => [
      entryFile("sandbox/main.ts"),
      ...["--port", String(port), "--data-dir", data.file("sandbox"), "--cluster", "demo"],
      ...["--metrics-port", String(metricsPort)],
      ...["--flagger", "--gate-url-file", gateUrlFile(data), "--audit-url-file", auditUrlFile(data)],
      ...["--speed", String(sandbox.speed), "--seed", String(sandbox.seed), "--exit-on-stdin-close"],
      ...(sandbox.loadDirectory === undefined ? [] : ["--load", sandbox.loadDirectory]),
      ...(sandbox.faults ? ["--faults"] : []),
      ...(sandbox.only === undefined ? [] : ["--only", sandbox.only.join(",")]),
    ],
    stopTimeoutMs: 1500,
    env: { ...withoutSecrets(process.env), NODE_ENV: "production" },
  });
  await child.waitForLine(/^sandbox ready http:\/\/\S+$/m, 60_000);
  const tokenFile = join(data.file("sandbox"), "token");
  const token = readFileSync(tokenFile, "utf8").trim();
  const gatehouseTokenFile = join(data.file("sandbox"), "gatehouse-token");
  return { child, port, metricsPort, server: `http://127.0.0.1:${port}`, tokenFile, token, gatehouseTokenFile };
}

/** The folder in which the sandbox keeps its objects. */
export function sandboxObjects(data: DataDirectory): string {
  return join(data.file("sandbox"), "objects");
}

/** Starts the scenarios; returns which rollout shows which scenario: name -> `cluster/namespace/Kind/name`. */
export async function startScenarios({ server, token }: Sandbox): Promise<Record<string, string>> {
  await request(`${server}/_sandbox/start`, token, "POST");
  const answer = await request(`${server}/_sandbox/scenarios`, token, "GET");
  return (await answer.json()) as Record<string, string>;
}

async function request(url: string, token: string, method: "GET" | "POST"): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok)
    throw new CommandError(`the sandbox answers ${response.status} to ${method} ${new URL(url).pathname}`);
  return response;
}
