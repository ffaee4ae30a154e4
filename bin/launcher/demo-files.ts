import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { stringify } from "yaml";
import { demoGroupsOf } from "#demo/accounts.ts";
import { createHookSecret } from "#lib/server/webhooks/hook-secret.ts";
import { type DataDirectory, writeFileAtomically } from "./data-directory.ts";

const accountsFile = "demo-accounts.json";
const roles = ["viewer", "operator", "admin"] as const;
type Role = (typeof roles)[number];

export type DemoAccounts = {
  accounts: Record<Role, { username: string; password: string }>;
  tokens: Record<Role, string>;
};

export type DemoPorts = { sandbox?: number; metrics?: number; recorder?: number };

/** Reads the demo's three people and their API tokens: created once per data directory, then kept. */
export function readDemoAccounts(data: DataDirectory): DemoAccounts {
  return {
    accounts: readOrCreate(data.file(accountsFile), () =>
      ofRoles((role) => ({ username: role, password: randomBytes(12).toString("base64url") })),
    ),
    tokens: readOrCreate(data.file("demo-tokens.json"), () =>
      ofRoles(() => `ght_${randomBytes(32).toString("base64url")}`),
    ),
  };
}

/** Reads the secret that signs session cookies: kept, so that people stay signed in across restarts. */
export function readSecret(data: DataDirectory): string {
  return readOrCreate(data.file("secret"), () => randomBytes(32).toString("base64url"));
}

/** Reads the credential with which the demo's Flagger calls its hooks. */
export function readHookCredential(data: DataDirectory): { id: string; secret: string } {
  return readOrCreate(data.file("demo-hooks.json"), () => ({ id: randomUUID(), secret: createHookSecret() }));
}

/** Reads the credential with which the demo's API server sends its audit events. */
export function readAuditCredential(data: DataDirectory): { id: string; secret: string } {
  return readOrCreate(data.file("demo-audit.json"), () => ({ id: randomUUID(), secret: createHookSecret() }));
}

/** Writes the URL to which the demo's API server sends its audit events. */
export function writeAuditUrl(data: DataDirectory, url: string, credential: { id: string; secret: string }): void {
  writeHookUrl(auditUrlFile(data), new URL("/hooks/kubernetes-audit/demo", url), credential);
}

export function auditUrlFile(data: DataDirectory): string {
  return data.file("audit-url");
}

/** Writes the URL of the hooks for the Flagger of the demo. The sandbox reads it when its scenarios start. */
export function writeGateUrl(data: DataDirectory, url: string, credential: { id: string; secret: string }): void {
  writeHookUrl(gateUrlFile(data), new URL("/hooks/flagger/demo", url), credential);
}

function writeHookUrl(file: string, url: URL, { id, secret }: { id: string; secret: string }): void {
  url.username = id;
  url.password = secret;
  writeFileAtomically(file, `${url.href}\n`);
}

export function gateUrlFile(data: DataDirectory): string {
  return data.file("gate-url");
}

export function readPorts(data: DataDirectory): DemoPorts {
  return readOrCreate<DemoPorts>(data.file("ports.json"), () => ({}));
}

export function writePorts(data: DataDirectory, ports: DemoPorts): void {
  writeFileAtomically(data.file("ports.json"), `${JSON.stringify(ports)}\n`);
}

/** Writes the config for the demo's web and recorder, and returns its path. */
export function writeDemoConfig(
  data: DataDirectory,
  options: {
    url: string;
    server: string;
    tokenFile: string;
    /** Plays faults. */
    adminTokenFile: string;
    metricsPort: number;
    recorderPort: number;
    faults: boolean;
    /** Its pages say which decision comes next, and its messages go to the sandbox. */
    hasStory: boolean;
  },
): string {
  const { url, server, tokenFile, adminTokenFile, metricsPort, recorderPort, faults, hasStory } = options;
  const file = data.file("gatehouse.yaml");
  // With faults, people should not have to wait a minute to see an effect.
  const staleness = faults ? { staleAfterSeconds: 20 } : {};
  const config = {
    publicUrl: url,
    demo: {
      accountsFile: data.file(accountsFile),
      story: hasStory,
      ...(faults ? { faultTokenFile: adminTokenFile } : {}),
    },
    clusters: [
      {
        ...{ name: "demo", server, tokenFile, access: "act" },
        impersonation: { groups: roles.flatMap(demoGroupsOf) },
        // The sandbox sends its audit events twice a second.
        kubernetesAudit: { settleSeconds: 3 },
        ...staleness,
        controllers: demoControllers(metricsPort),
      },
    ],
    recorder: { port: recorderPort },
    policies: demoPolicies,
    recording: { labels: ["wave"], waveLabel: "wave" },
    // Of two rollouts whose Inconclusive result the controller ignores, Gatehouse holds one.
    oversight: [{ rollouts: ["Rollout/planner"], hold: true }],
    // A query over HTTP does not tell its unit.
    units: { conversion: "ratio" },
    links: demoLinks,
    ...(hasStory ? { notifications: demoNotifications(data, metricsPort) } : {}),
  };
  writeFileAtomically(file, `# Written by gatehouse demo at each start; changes are lost.\n${stringify(config)}`);
  return file;
}

/** The controllers of the sandbox, and the part of Prow that it plays. Of Prow's, tide has no probe. */
function demoControllers(port: number) {
  const names = ["argo-rollouts", "flagger", "status-reconciler", "tide", "hook"];
  return {
    endpoints: names.map((component) => {
      const base = `http://127.0.0.1:${port}/${component}`;
      return { component, url: `${base}/metrics`, ...(component === "tide" ? {} : { probe: `${base}/healthz` }) };
    }),
  };
}

/** Waits and findings go to the sandbox, which takes every message and keeps none. */
function demoNotifications(data: DataDirectory, port: number) {
  const secretFile = data.file("signing-secret");
  writeFileAtomically(secretFile, `${randomBytes(32).toString("base64")}\n`);
  const url = `http://127.0.0.1:${port}/messages`;
  const waits = ["waiting", "inconclusive", "promotion-failing", "wait-ended"];
  const findings = ["finding-opened", "finding-worsened", "finding-closed"];
  return {
    channels: [{ name: "releases", type: "webhook", url, signingSecret: `file:${secretFile}` }],
    routes: [{ name: "waits-and-findings", events: [...waits, ...findings], to: ["releases"] }],
  };
}

/** One rule of each kind that a person meets before a click, each on a rollout that waits for somebody. */
const demoPolicies = {
  secondPerson: [{ name: "four eyes", namespaces: ["accounts"], actions: ["promote-full"] }],
  // Each day's freeze ends when the next day's begins.
  freezes: [
    {
      name: "season's end",
      namespaces: ["storefront"],
      rollouts: ["recommendations"],
      start: "0 0 * * *",
      duration: "24h",
    },
  ],
};

const grafana = "https://grafana.example.com";
/** Grafana's Explore takes its panes as JSON. */
const explorePanes = encodeURIComponent(
  '{"gatehouse":{"datasource":"prometheus","queries":[{"refId":"A","expr":"QUERY"}],"range":{"from":"FROM","to":"TO"}}}',
)
  .replace("QUERY", "{query:json}")
  .replace("FROM", "{fromMs}")
  .replace("TO", "{toMs}");

/** Where a team looks next. The hosts do not exist. */
const demoLinks = [
  {
    name: "Grafana",
    url: `${grafana}/d/releases/releases?var-cluster={cluster}&var-namespace={namespace}&var-name={name}&var-hash={podHash}&from={fromMs}&to={toMs}`,
    on: ["rollout", "release", "run"],
  },
  { name: "Query in Grafana", url: `${grafana}/explore?schemaVersion=1&panes=${explorePanes}`, on: ["metric"] },
  {
    name: "Logs",
    url: "https://logs.example.com/search?namespace={namespace}&pod_hash={podHash}&from={from}&to={to}",
    on: ["rollout", "run"],
  },
  { name: "Runbook", url: "https://runbooks.example.com/{namespace}/{name}", on: ["rollout"] },
];

function ofRoles<Value>(make: (role: Role) => Value): Record<Role, Value> {
  return { viewer: make("viewer"), operator: make("operator"), admin: make("admin") };
}

function readOrCreate<Value>(file: string, create: () => Value): Value {
  if (existsSync(file)) {
    try {
      return JSON.parse(readFileSync(file, "utf8")) as Value;
    } catch {
      throw new Error(`${file} is corrupt: move it away, and gatehouse makes a new one`);
    }
  }
  const value = create();
  writeFileAtomically(file, `${JSON.stringify(value, null, 2)}\n`);
  return value;
}
