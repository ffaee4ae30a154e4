import { randomBytes } from "node:crypto";
import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";
import { at } from "./recorder-samples.ts";

type Planted = { where: string; secret: string };
type Planter = {
  planted: Planted[];
  /** Makes a secret without a recognisable format: letters and digits. */
  plain(where: string): string;
  jwt(where: string): string;
  awsKey(where: string): string;
  /** Makes the credentials that follow `Basic `. */
  basic(where: string): string;
};

/** Makes secrets, each different, and keeps the place of each. */
export function createPlanter(): Planter {
  const planted: Planted[] = [];
  const keep = (where: string, secret: string): string => {
    planted.push({ where, secret });
    return secret;
  };
  const random = (): string => randomBytes(9).toString("hex");
  return {
    planted,
    plain: (where) => keep(where, `hunter${random()}`),
    jwt: (where) => {
      const signature = randomBytes(24).toString("base64url");
      keep(where, signature);
      return `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(`{"sub":"${random()}"}`).toString("base64url")}.${signature}`;
    },
    awsKey: (where) => keep(where, `AKIA${randomBytes(8).toString("hex").toUpperCase()}`),
    basic: (where) => {
      const [user, password] = [`user${random()}`, `pass${random()}`];
      keep(where, password);
      return keep(where, Buffer.from(`${user}:${password}`).toString("base64"));
    },
  };
}

/** Returns text that an API server, a provider or a controller may repeat in a message. */
export function plantedMessage(plant: Planter, where: string): string {
  const at = (place: string): string => `${where}, ${place}`;
  return [
    `Get "https://oncall:${plant.plain(at("userinfo"))}@prom/api?q=up&token=${plant.plain(at("query"))}&n=1": refused`,
    `X-Amz-Signature: https://s3/x?X-Amz-Signature=${plant.plain(at("signed URL"))}`,
    `map[Authorization:[Bearer ${plant.plain(at("bearer"))}] X-Api-Key:[${plant.plain(at("api key"))}]]`,
    `Authorization: Basic ${plant.basic(at("basic"))}`,
    `Authorization: sso ${plant.plain(at("other scheme"))}`,
    `Cookie: a=1; session=${plant.plain(at("cookie"))}`,
    `jwt ${plant.jwt(at("jwt"))} and key ${plant.awsKey(at("aws key"))} of ops`,
    `started with --password=${plant.plain(at("flag"))} DB_TOKEN=${plant.plain(at("assignment"))}`,
    `body {"password":"${plant.plain(at("JSON"))}"}`,
    // One line each: some rules take the rest of the line.
  ].join("\n");
}

function plantedMetadata(plant: Planter, { kind, name }: { kind: string; name: string }) {
  const where = `${kind} annotation`;
  const env = [{ name: "DB_PASSWORD", value: plant.plain(`${where}, env in JSON`) }];
  return {
    name,
    ...(kind === "ClusterAnalysisTemplate" ? {} : { namespace: "shop" }),
    annotations: {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ x: plant.plain(`${where}, last applied`) }),
      "other.example/last-applied-spec": plant.plain(`${where}, another tool's last applied`),
      "example.test/api-token": plant.plain(`${where}, by its name`),
      "example.test/hook": `https://hooks.example.test/${plant.plain(`${where}, hook`)}`,
      "example.test/source": `https://deploy:${plant.plain(`${where}, userinfo`)}@git.example.test/shop`,
      "example.test/spec": JSON.stringify({ containers: [{ env }] }),
      "example.test/kept": `kept-${kind}`,
    },
  };
}

function plantedPodSpec(plant: Planter, where: string) {
  const names = ["PASSWORD", "API_TOKEN", "CLIENT_SECRET", "SIGNING_KEY", "KEY", "TOKEN_FILE_CONTENT", "DB_DSN"];
  return {
    containers: [
      {
        name: "app",
        image: "shop:1",
        env: [
          ...names.map((name) => ({ name, value: plant.plain(`${where} env ${name}`) })),
          { name: "UPSTREAM", value: `amqp://shop:${plant.plain(`${where} env URL`)}@queue/` },
        ],
        args: ["--token", plant.plain(`${where} args`), `--password=${plant.plain(`${where} args with =`)}`],
        command: ["sh", "-c", `API_KEY=${plant.plain(`${where} command`)} serve`],
      },
    ],
  };
}

const headers = (plant: Planter, where: string) => [
  { key: "Authorization", value: `Bearer ${plant.plain(`${where} header Authorization`)}` },
  { key: "X-Custom", value: plant.plain(`${where} header of any name`) },
  { key: "Accept", value: "application/json" },
];

/** Returns one metric per provider, each with literal secrets in its settings. */
function plantedMetrics(plant: Planter, kind: string) {
  const url = (provider: string): string =>
    `https://u:${plant.plain(`${kind} ${provider} userinfo`)}@m/x?api_key=${plant.plain(`${kind} ${provider} query`)}`;
  const named = (provider: string, name: string) => ({ [name]: plant.plain(`${kind} ${provider} ${name}`) });
  const providers: Record<string, object> = {
    prometheus: {
      address: url("prometheus"),
      query: "up",
      headers: headers(plant, `${kind} prometheus`),
      authentication: {
        oauth2: { tokenUrl: url("prometheus oauth2"), clientId: "id", ...named("prometheus", "clientSecret") },
      },
    },
    web: {
      url: url("web"),
      headers: headers(plant, `${kind} web`),
      jsonBody: { login: { ...named("web", "password") } },
      body: JSON.stringify({ ...named("web body", "apiKey") }),
    },
    datadog: { query: "q", ...named("datadog", "apiKey"), ...named("datadog", "app-key"), address: url("datadog") },
    newRelic: { query: "q", ...named("newRelic", "personalApiKey"), headers: headers(plant, `${kind} newRelic`) },
    wavefront: { address: url("wavefront"), query: "q", ...named("wavefront", "token") },
    influxdb: { query: "q", address: url("influxdb"), ...named("influxdb", "authToken") },
    cloudWatch: { ...named("cloudWatch", "secretAccessKey"), metricDataQueries: [{ id: "a", expression: "1" }] },
    graphite: { address: url("graphite"), query: "q", headers: headers(plant, `${kind} graphite`) },
    kayenta: { address: url("kayenta"), ...named("kayenta", "storageAccessToken") },
    skywalking: { address: url("skywalking"), query: "q", ...named("skywalking", "password") },
    plugin: {
      "example.test/check": {
        apiToken: plant.plain(`${kind} plugin`),
        nested: [{ headers: headers(plant, `${kind} plugin`) }],
      },
    },
    job: { spec: { template: { spec: plantedPodSpec(plant, `${kind} job`) } } },
  };
  return Object.entries(providers).map(([name, settings]) => ({
    name,
    interval: "10s",
    provider: { [name]: settings },
  }));
}

type PlantedArgs = { args: object[]; known: string };

/** Returns planted arguments. `known` has a name that marks it as secret, and may be repeated anywhere in its run. */
function plantedArgs(plant: Planter, kind: string): PlantedArgs {
  const known = plant.plain(`${kind} arg by its name, and wherever it is repeated`);
  const resolved = plant.plain(`${kind} arg from a Secret`);
  return {
    known,
    args: [
      { name: "api-token", value: known },
      { name: "from-secret", value: resolved, valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
      { name: "service", value: "shop" },
    ],
  };
}

type Planting = { plant: Planter; kind: string; name: string; owner?: { kind: string; name: string; uid: string } };

function base({ plant, kind, name, owner }: Planting, apiVersion: string) {
  const metadata = plantedMetadata(plant, { kind, name });
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: "argoproj.io/v1alpha1", controller: true, ...owner }];
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, ownerReferences, labels: { "rollouts-pod-template-hash": "new" } },
  };
}

const argo = "argoproj.io/v1alpha1";

/** An object of each kind with secrets in every place that can hold one. A missing watched kind fails the test. */
export const plantedObjects: Record<
  string,
  (planting: Planting) => KubeObjectInput & { status?: Record<string, unknown> }
> = {
  Rollout: (planting) => {
    const { plant, kind } = planting;
    const { args, known } = plantedArgs(plant, kind);
    const message = `${plantedMessage(plant, "Rollout status")}; it said ${known}`;
    return {
      ...base(planting, argo),
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "shop" } },
        template: { metadata: { labels: { app: "shop" } }, spec: plantedPodSpec(plant, kind) },
        strategy: {
          canary: {
            analysis: { templates: [{ templateName: "t" }], args },
            steps: [{ setWeight: 20 }, { pause: {} }, { analysis: { templates: [{ templateName: "t" }], args } }],
          },
        },
      },
      status: {
        phase: "Paused",
        message,
        observedGeneration: "1",
        currentPodHash: "new",
        stableRS: "old",
        currentStepIndex: 1,
        controllerPause: true,
        pauseConditions: [{ reason: "CanaryPauseStep", startTime: at(0) }],
        conditions: [{ type: "Progressing", status: "True", reason: "x", message, lastTransitionTime: at(0) }],
        canary: { currentBackgroundAnalysisRunStatus: { name: "planted-analysisrun", status: "Running", message } },
      },
    };
  },
  AnalysisRun: (planting) => {
    const { plant, kind } = planting;
    const { args, known } = plantedArgs(plant, kind);
    const metrics = plantedMetrics(plant, kind);
    const says = (where: string): string => `${plantedMessage(plant, `AnalysisRun ${where}`)}; it said ${known}`;
    return {
      ...base(planting, argo),
      spec: { args, metrics, dryRun: [] },
      status: {
        phase: "Error",
        message: says("status"),
        startedAt: at(0),
        completedAt: at(100),
        metricResults: metrics.slice(0, 2).map(({ name }) => ({
          name,
          phase: "Error",
          message: says(`metric ${name}`),
          count: 1,
          error: 1,
          metadata: {
            ResolvedPrometheusQuery: `up{token="${known}"} # ${plantedMessage(plant, `resolved query ${name}`)}`,
          },
          measurements: [
            { phase: "Error", message: says(`measurement ${name}`), startedAt: at(1), finishedAt: at(2) },
            {
              phase: "Successful",
              value: `{"echo":"${known}"}`,
              startedAt: at(3),
              finishedAt: at(4),
              metadata: {
                analysis: `${says(`noted at ${name}`)}${" ".repeat(20_000)}`,
                "api-token": plant.plain(`AnalysisRun noted at ${name}, by its name`),
                [known]: "x",
              },
            },
          ],
        })),
      },
    };
  },
  Experiment: (planting) => {
    const { plant, kind } = planting;
    const { args, known } = plantedArgs(plant, kind);
    const message = `${plantedMessage(plant, "Experiment status")}; it said ${known}`;
    return {
      ...base(planting, argo),
      spec: {
        templates: [{ name: "a", selector: {}, template: { spec: plantedPodSpec(plant, kind) } }],
        analyses: [{ name: "a", templateName: "t", args }],
      },
      status: { phase: "Failed", message, templateStatuses: [{ name: "a", status: "Failed", message }] },
    };
  },
  AnalysisTemplate: (planting) => {
    const { args, known } = plantedArgs(planting.plant, planting.kind);
    const metrics = plantedMetrics(planting.plant, planting.kind);
    return {
      ...base(planting, argo),
      spec: { args, metrics: [...metrics, { name: known, successCondition: `result == "${known}"` }] },
    };
  },
  ClusterAnalysisTemplate: (planting) => {
    const { args } = plantedArgs(planting.plant, planting.kind);
    return { ...base(planting, argo), spec: { args, metrics: plantedMetrics(planting.plant, planting.kind) } };
  },
  MetricTemplate: (planting) => ({
    ...base(planting, "flagger.app/v1beta1"),
    spec: {
      provider: {
        type: "prometheus",
        address: `https://oncall:${planting.plant.plain("MetricTemplate address")}@prom`,
      },
      query: plantedMessage(planting.plant, "MetricTemplate query"),
    },
  }),
  ReplicaSet: (planting) => ({
    ...base(planting, "apps/v1"),
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "planted" } },
      template: { spec: plantedPodSpec(planting.plant, planting.kind) },
    },
    status: {
      replicas: 1,
      conditions: [{ type: "ReplicaFailure", message: plantedMessage(planting.plant, "ReplicaSet") }],
    },
  }),
  Pod: (planting) => ({
    ...base(planting, "v1"),
    spec: plantedPodSpec(planting.plant, planting.kind),
    status: {
      phase: "Pending",
      message: plantedMessage(planting.plant, "Pod status"),
      containerStatuses: [
        {
          name: "app",
          ready: false,
          restartCount: 1,
          state: { waiting: { reason: "CrashLoopBackOff", message: plantedMessage(planting.plant, "Pod waiting") } },
          lastState: {
            terminated: { exitCode: 1, reason: "Error", message: plantedMessage(planting.plant, "Pod ended") },
          },
        },
      ],
    },
  }),
  Deployment: (planting) => ({
    ...base(planting, "apps/v1"),
    spec: { replicas: 1, template: { spec: plantedPodSpec(planting.plant, planting.kind) } },
    status: { replicas: 1, conditions: [{ type: "Available", message: plantedMessage(planting.plant, "Deployment") }] },
  }),
  DaemonSet: (planting) => ({
    ...base(planting, "apps/v1"),
    spec: { template: { spec: plantedPodSpec(planting.plant, planting.kind) } },
    status: {
      desiredNumberScheduled: 1,
      conditions: [{ type: "x", status: "True", message: plantedMessage(planting.plant, "DaemonSet") }],
    },
  }),
  Canary: (planting) => {
    const { plant, kind } = planting;
    const url = `https://gatehouse:${plant.plain(`${kind} hook`)}@gates.example.com/hooks/flagger/test/rollback`;
    return {
      ...base(planting, "flagger.app/v1beta1"),
      spec: {
        targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "kept-Canary" },
        analysis: {
          interval: "1m",
          threshold: 5,
          stepWeight: 10,
          metrics: [{ name: "m", interval: "1m", query: `up{token="${plant.plain(`${kind} query`)}"}` }],
          webhooks: [
            { name: "rollback", type: "rollback", url },
            { name: "test", url: "https://load.example.com/", metadata: { token: plant.plain(`${kind} metadata`) } },
          ],
        },
      },
      status: {
        phase: "Progressing",
        canaryWeight: 10,
        lastAppliedSpec: "new",
        lastPromotedSpec: "old",
        conditions: [
          { type: "Promoted", status: "Unknown", reason: "Progressing", message: plantedMessage(plant, "Canary") },
        ],
      },
    };
  },
  Event: (planting) => {
    const { owner } = planting;
    return {
      ...base({ plant: planting.plant, kind: planting.kind, name: planting.name }, "v1"),
      involvedObject: {
        apiVersion: argo,
        namespace: "shop",
        kind: "Rollout",
        name: owner?.name ?? "",
        uid: owner?.uid ?? "",
      },
      type: "Warning",
      reason: "AnalysisRunError",
      message: plantedMessage(planting.plant, "Event"),
      source: { component: "rollouts-controller" },
      count: 1,
      firstTimestamp: at(0),
      lastTimestamp: at(0),
    };
  },
};
