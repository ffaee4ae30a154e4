import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { Config } from "#lib/server/platform/config/config-schema.ts";

// The chart as helm renders it, with the values of deploy/chart/ci. chart.test.ts has what needs no helm.

const root = join(import.meta.dirname, "..");
const chart = join(root, "deploy/chart");
// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds are looked into.
type Manifest = any;

function findHelm(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [process.env.HELM ?? "", ...folders.map((folder) => join(folder, "helm"))].find(
    (path) => path !== "" && existsSync(path),
  );
}

const helm = findHelm();
if (helm === undefined)
  process.stderr.write(
    "helm is missing, the chart is not rendered: go install helm.sh/helm/v3/cmd/helm@latest, or set HELM to its path\n",
  );

function render(values: string, ...more: string[]) {
  const args = ["template", "gatehouse", chart, "-n", "oversight", "--kube-version", "1.31.0"];
  const file = values === "" ? [] : ["-f", join(chart, `ci/${values}-values.yaml`)];
  return spawnSync(helm ?? "helm", [...args, ...file, ...more], { encoding: "utf8" });
}

function listManifests(values: string, ...more: string[]): Manifest[] {
  const { stdout, stderr } = render(values, ...more);
  expect(stderr).toBe("");
  return parseAllDocuments(stdout)
    .map((document) => document.toJSON())
    .filter((manifest) => manifest !== null);
}

const find = (manifests: Manifest[], kind: string, name: string): Manifest =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
const podOf = (manifest: Manifest) => manifest.spec.template.spec;
const variablesOf = (manifest: Manifest) => podOf(manifest).containers[0].env.map(({ name }: Manifest) => name);
const sets = ["read-only", "everything", "own-database"];

describe.runIf(helm !== undefined)("the rendered chart", () => {
  it.each(sets)("has no fault that helm finds, with the values %s", (values) => {
    const args = ["lint", "--strict", chart, "-f", join(chart, `ci/${values}-values.yaml`)];
    const { status, stdout } = spawnSync(helm ?? "", args, { encoding: "utf8" });
    expect(status, stdout).toBe(0);
  });

  it.each(sets)("gives both processes a config that they accept, with the values %s", (values) => {
    const text = find(listManifests(values), "ConfigMap", "gatehouse").data["gatehouse.yaml"];
    const config = Config.parse(parse(text));
    expect(config.recorder).toMatchObject({ host: "0.0.0.0", port: 7470 });
    expect(text).not.toMatch(/password|BEGIN/i);
  });

  it.each(sets)("runs every container without rights on its node, with the values %s", (values) => {
    const pods = listManifests(values).filter(({ kind }) => ["Deployment", "Job", "Pod"].includes(kind));
    expect(pods).toHaveLength(4);
    for (const pod of pods.map((manifest) => (manifest.kind === "Pod" ? manifest.spec : podOf(manifest)))) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
      expect(pod.hostNetwork ?? pod.hostPID ?? false).toBe(false);
      for (const { securityContext, command } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(command).toBeUndefined();
      }
    }
  });

  it("gives each process only its own secrets", () => {
    const manifests = listManifests("everything");
    const web = find(manifests, "Deployment", "gatehouse-web");
    const recorder = find(manifests, "Deployment", "gatehouse-recorder");
    const migrate = find(manifests, "Job", "gatehouse-migrate");
    expect(variablesOf(web)).toEqual([
      ...["GATEHOUSE_CONFIG", "GATEHOUSE_SECRET", "GATEHOUSE_OIDC_SECRET", "DATABASE_URL", "DATABASE_DIRECT_URL"],
      ...["DATABASE_READ_URL", "TZ"],
    ]);
    expect(variablesOf(recorder)).toEqual([
      ...["GATEHOUSE_CONFIG", "DATABASE_URL", "DATABASE_DIRECT_URL", "GATEHOUSE_SLACK"],
    ]);
    expect(variablesOf(migrate)).toEqual(["DATABASE_MIGRATE_URL"]);
    const doctor = find(manifests, "Pod", "gatehouse-doctor").spec;
    const mounted = doctor.volumes.map(({ name }: Manifest) => name);
    expect(doctor.containers[0].volumeMounts.map(({ name }: Manifest) => name)).toEqual(mounted);
    expect(mounted).toEqual(["config", "tmp", "other"]);
    const keys = [web, recorder, migrate].map((manifest) =>
      podOf(manifest)
        .containers[0].env.filter(({ valueFrom }: Manifest) => valueFrom?.secretKeyRef.name === "gatehouse-database")
        .map(({ valueFrom }: Manifest) => valueFrom.secretKeyRef.key),
    );
    expect(keys).toEqual([["web", "web-direct", "web-read"], ["recorder", "recorder-direct"], ["migrate"]]);
    expect(podOf(migrate).automountServiceAccountToken).toBe(false);
  });

  it("binds each right to the process that needs it, and impersonation to names as deploy/rbac-act.yaml does", () => {
    const manifests = listManifests("everything");
    const allBindings = manifests.filter(({ kind }) => kind === "ClusterRoleBinding");
    const bindings = allBindings.filter(({ metadata }) => metadata.annotations === undefined);
    expect(Object.fromEntries(bindings.map(({ roleRef, subjects }) => [roleRef.name, subjects[0].name]))).toEqual({
      "oversight-gatehouse-read": "gatehouse-recorder",
      "oversight-gatehouse-gates": "gatehouse-web",
      "oversight-gatehouse-hold": "gatehouse-recorder",
      "oversight-gatehouse-events": "gatehouse-recorder",
      "oversight-gatehouse-review": "gatehouse-web",
      "oversight-gatehouse-impersonate": "gatehouse-web",
    });
    for (const { subjects } of bindings) {
      expect(subjects).toHaveLength(1);
      const account = find(manifests, "ServiceAccount", subjects[0].name);
      // What is bound exists as long as the binding does: otherwise whoever makes such an account has its rights.
      expect(account.metadata.annotations, subjects[0].name).toBeUndefined();
      expect(account.automountServiceAccountToken).toBe(false);
    }
    // Both processes' rights, but only while it examines them.
    const ofDoctor = allBindings.filter(({ metadata }) => metadata.annotations !== undefined);
    expect(ofDoctor.map(({ roleRef }) => roleRef.name).toSorted()).toEqual(
      bindings.map(({ roleRef }) => roleRef.name).toSorted(),
    );
    for (const { metadata, subjects } of [...ofDoctor, find(manifests, "ServiceAccount", "gatehouse-doctor")]) {
      expect(subjects?.map(({ name }: Manifest) => name) ?? ["gatehouse-doctor"]).toEqual(["gatehouse-doctor"]);
      expect(metadata.annotations).toMatchObject({
        "helm.sh/hook": "test",
        "helm.sh/hook-delete-policy": expect.stringContaining("hook-succeeded,hook-failed"),
      });
    }
    const act = parseAllDocuments(readFileSync(join(root, "deploy/rbac-act.yaml"), "utf8")).map((each) =>
      each.toJSON(),
    );
    expect(find(manifests, "ClusterRole", "oversight-gatehouse-impersonate").rules).toEqual(
      find(act, "ClusterRole", "gatehouse-impersonate").rules,
    );
    const least = listManifests("read-only").filter(({ kind }) => kind === "ClusterRole");
    expect(least.map(({ metadata }) => metadata.name)).toEqual([
      "oversight-gatehouse-read",
      "oversight-gatehouse-gates",
    ]);
  });

  describe("impersonation", () => {
    const values = (json: string) => ["--set-json", `rbac.impersonation=${json}`];
    const rulesOf = (json: string) =>
      find(listManifests("read-only", ...values(json)), "ClusterRole", "oversight-gatehouse-impersonate").rules;

    it.each([
      '{"enabled": true}',
      '{"enabled": true, "groups": ["g"], "users": ["u"], "allowAnyUser": true}',
      ...["system:masters", "System:masters", " system:x", "*"].flatMap((name) => [
        `{"enabled": true, "groups": ["${name}"]}`,
        `{"enabled": true, "users": ["${name}"]}`,
      ]),
    ])("refuses %s", (json) => {
      const { status, stderr } = render("read-only", ...values(json));
      expect(status).not.toBe(0);
      expect(stderr).toMatch(/impersonation/);
    });

    it("names users who are users of their own, and any user only if that is spelled out", () => {
      const users = { apiGroups: [""], resources: ["users"], verbs: ["impersonate"] };
      expect(rulesOf('{"enabled": true, "users": ["oidc:ada"]}')).toEqual([{ ...users, resourceNames: ["oidc:ada"] }]);
      const groups = { apiGroups: [""], resources: ["groups"], resourceNames: ["g"], verbs: ["impersonate"] };
      expect(rulesOf('{"enabled": true, "groups": ["g"], "allowAnyUser": true}')).toEqual([users, groups]);
    });
  });

  it("leads probes, services, budgets and policies to pods that exist", () => {
    const manifests = listManifests("everything");
    const pods = manifests.filter(({ kind }) => kind === "Deployment" || kind === "Job");
    const labels: Record<string, string>[] = pods.map(({ spec }) => spec.template.metadata.labels);
    const selectors = manifests.flatMap(({ kind, metadata, spec }) => {
      const selector = { Service: spec?.selector, NetworkPolicy: spec?.podSelector?.matchLabels }[kind as string];
      const budget = kind === "PodDisruptionBudget" || kind === "Deployment" ? spec.selector.matchLabels : undefined;
      return selector === undefined && budget === undefined ? [] : [{ metadata, selector: selector ?? budget }];
    });
    expect(selectors).toHaveLength(2 + 2 + 2 + 4);
    for (const { metadata, selector } of selectors)
      expect(
        labels.some((own) => Object.entries(selector).every(([key, value]) => own[key] === value)),
        metadata.name,
      ).toBe(true);
    for (const name of ["gatehouse-web", "gatehouse-recorder"]) {
      const [container] = podOf(find(manifests, "Deployment", name)).containers;
      for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
        expect(container.ports.map((port: Manifest) => port.name)).toContain(probe.httpGet.port);
    }
    expect(find(manifests, "Ingress", "gatehouse").spec.rules[0].host).toBe("gatehouse.example.com");
    expect(find(manifests, "HTTPRoute", "gatehouse").spec.hostnames).toEqual(["gatehouse.example.com"]);
    expect(find(manifests, "Deployment", "gatehouse-web").spec.replicas).toBeUndefined();
    expect(find(manifests, "HorizontalPodAutoscaler", "gatehouse-web").spec.maxReplicas).toBe(9);
  });

  it.each([
    { url: "https://host.example.com", path: "/", matches: undefined },
    { url: "https://host.example.com/", path: "/", matches: undefined },
    {
      url: "https://host.example.com:8443/tools/gatehouse",
      path: "/tools/gatehouse",
      matches: [{ path: { type: "PathPrefix", value: "/tools/gatehouse" } }],
    },
  ])("leads $path of the host to the web process, for $url", ({ url, path, matches }) => {
    const manifests = listManifests("everything", "--set", `config.publicUrl=${url}`);
    const [rule] = find(manifests, "Ingress", "gatehouse").spec.rules;
    expect(rule).toMatchObject({ host: "host.example.com", http: { paths: [{ path, pathType: "Prefix" }] } });
    const route = find(manifests, "HTTPRoute", "gatehouse").spec.rules[0];
    expect(route.matches).toEqual(matches);
    expect(route.backendRefs).toEqual([{ name: "gatehouse-web", port: 80 }]);
    // Probes come straight to the pod, and need not know of the path.
    const [container] = podOf(find(manifests, "Deployment", "gatehouse-web")).containers;
    expect(container.livenessProbe.httpGet.path).toBe("/livez");
  });

  it.each([
    { clusters: [{ name: "this", inCluster: true }], mounts: true },
    { clusters: [{ name: "other", kubeconfig: "/etc/gatehouse/other/kubeconfig" }], mounts: false },
    {
      clusters: [
        {
          name: "by-file",
          server: "https://kubernetes.default.svc",
          tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token",
        },
      ],
      mounts: true,
    },
  ])("mounts a token if a cluster takes it: $clusters.0.name", ({ clusters, mounts }) => {
    const manifests = listManifests("read-only", "--set-json", `config.clusters=${JSON.stringify(clusters)}`);
    const pods = [
      podOf(find(manifests, "Deployment", "gatehouse-web")),
      podOf(find(manifests, "Deployment", "gatehouse-recorder")),
      find(manifests, "Pod", "gatehouse-doctor").spec,
    ];
    expect(pods.map((pod) => pod.automountServiceAccountToken)).toEqual([mounts, mounts, mounts]);
    expect(podOf(find(manifests, "Job", "gatehouse-migrate")).automountServiceAccountToken).toBe(false);
  });

  it("lets its pods reach names and the ports that the config leads to, and no others", () => {
    const portsOf = (...more: string[]) => {
      const { spec } = find(listManifests("read-only", ...more), "NetworkPolicy", "gatehouse-egress");
      expect(spec.policyTypes).toEqual(["Egress"]);
      return spec.egress[1].ports.map(({ port, protocol }: Manifest) => `${protocol} ${port}`);
    };
    expect(portsOf()).toEqual(["TCP 443", "TCP 5432", "TCP 6443", "TCP 8443"]);
    const clusters = [
      {
        name: "a",
        server: "https://[fd00::1]:7443",
        controllers: {
          prometheus: { url: "http://prometheus.monitoring:9090" },
          endpoints: [{ component: "argo-rollouts", url: "http://rollouts.example.com:8090/metrics" }],
        },
      },
    ];
    const channels = [
      { name: "mail", type: "email", host: "m.example.com" },
      { name: "plain", type: "webhook", url: "http://h.example.com/x" },
    ];
    const allow = ["env:KEY", "https://e.example.com:8444", "https://e.example.com", "smtp://m.example.com:2525"];
    const auditStreams = [
      { name: "siem", type: "syslog", host: "logs.example.com" },
      { name: "collector", type: "otlp", url: "https://o.example.com:4318" },
    ];
    const config = { clusters, auditStreams, "notifications.channels": channels, "notifications.allow": allow };
    const sets = [
      ...Object.entries(config).flatMap(([key, value]) => ["--set-json", `config.${key}=${JSON.stringify(value)}`]),
      ...["--set-json", "networkPolicy.egressPorts=[6432]"],
    ];
    expect(portsOf(...sets).toSorted()).toEqual(
      ["2525", "4318", "443", "5432", "587", "6432", "6443", "6514", "7443", "80", "8090", "8443", "8444", "9090"].map(
        (port) => `TCP ${port}`,
      ),
    );
    const open = listManifests("read-only", "--set-json", "networkPolicy.egress=[{}]");
    expect(find(open, "NetworkPolicy", "gatehouse-egress").spec.egress).toEqual([{}]);
  });

  it("migrates before everything else, at the first installation and at each upgrade", () => {
    const { annotations } = find(listManifests("read-only"), "Job", "gatehouse-migrate").metadata;
    expect(annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
  });

  it("makes a database of its own, whose roles exist before the first migration grants them rights", () => {
    const manifests = listManifests("own-database");
    const { metadata, spec } = find(manifests, "Cluster", "gatehouse-db");
    // A hook would be deleted before each upgrade, and the data with it.
    expect(metadata.annotations).toEqual({ "helm.sh/resource-policy": "keep" });
    expect(spec).toMatchObject({
      instances: 3,
      imageName: "registry.example.com/postgresql:18",
      storage: { size: "100Gi", storageClass: "fast" },
      postgresql: { synchronous: { method: "any", number: 1 }, parameters: { max_connections: "300" } },
      backup: { retentionPolicy: "30d" },
    });
    expect(spec.bootstrap.initdb).toMatchObject({ database: "gatehouse", owner: "gatehouse", encoding: "UTF8" });
    const [extension, ...roles] = spec.bootstrap.initdb.postInitApplicationSQL;
    expect(extension).toMatch(/CREATE EXTENSION IF NOT EXISTS pg_trgm/);
    expect(roles.map((text: string) => /CREATE ROLE (\w+) NOLOGIN$/.exec(text)?.[1])).toEqual(
      spec.managed.roles.map(({ name }: Manifest) => name),
    );
    const migrate = find(manifests, "Job", "gatehouse-migrate");
    expect(migrate.metadata.annotations["helm.sh/hook"]).toBe("post-install,pre-upgrade");
    expect(podOf(migrate).containers[0].env).toEqual([
      { name: "DATABASE_MIGRATE_URL", valueFrom: { secretKeyRef: { name: "gatehouse-db-app", key: "uri" } } },
    ]);
  });

  it("leads web and recorder to that database, each as its own role, and the web's reads to the standbys", () => {
    const manifests = listManifests("own-database");
    const databaseOf = (process: string) =>
      Object.fromEntries(
        podOf(find(manifests, "Deployment", `gatehouse-${process}`))
          .containers[0].env.filter(({ name }: Manifest) => name.includes("DATABASE"))
          .map(({ name, value, valueFrom }: Manifest) => [name, value ?? valueFrom.secretKeyRef.name]),
      );
    const urlOf = (role: string, service: string) =>
      `postgresql://gatehouse_${role}:$(GATEHOUSE_DATABASE_PASSWORD)@gatehouse-db-${service}:5432/gatehouse?sslmode=no-verify`;
    expect(databaseOf("web")).toEqual({
      GATEHOUSE_DATABASE_PASSWORD: "gatehouse-db-web",
      DATABASE_URL: urlOf("web", "rw"),
      DATABASE_READ_URL: urlOf("web", "ro"),
    });
    expect(databaseOf("recorder")).toEqual({
      GATEHOUSE_DATABASE_PASSWORD: "gatehouse-db-recorder",
      DATABASE_URL: urlOf("recorder", "rw"),
    });
    // A variable is only filled in after the one that it names.
    const names = variablesOf(find(manifests, "Deployment", "gatehouse-web"));
    expect(names.indexOf("GATEHOUSE_DATABASE_PASSWORD")).toBeLessThan(names.indexOf("DATABASE_URL"));
  });

  it("neither waits for a second disk nor reads from a standby if there is none", () => {
    const manifests = listManifests("own-database", "--set", "postgres.cloudnativepg.instances=1");
    expect(find(manifests, "Cluster", "gatehouse-db").spec.postgresql.synchronous).toBeUndefined();
    expect(variablesOf(find(manifests, "Deployment", "gatehouse-web"))).not.toContain("DATABASE_READ_URL");
    expect(listManifests("everything").some(({ kind }) => kind === "Cluster")).toBe(false);
  });

  it("scrapes the series about rollouts with a token, below the path, only if one is named", () => {
    const pathsOf = (...options: string[]) => {
      const manifests = listManifests("everything", ...options);
      return manifests.find(({ kind }) => kind === "ServiceMonitor").spec.endpoints;
    };
    expect(pathsOf("--set", "config.publicUrl=https://tools.example.com/desk").at(-1)).toMatchObject({
      ...{ port: "http", path: "/desk/api/v1/metrics" },
      authorization: { credentials: { name: "gatehouse-scrape", key: "token" } },
    });
    expect(pathsOf("--set", "serviceMonitor.rolloutSeries.tokenSecret=")).toHaveLength(2);
  });

  it("says what is missing or cannot be", () => {
    expect(render("").stderr).toMatch(/config\.publicUrl is missing/);
    expect(render("read-only", "--set", "serviceMonitor.enabled=true").stderr).toMatch(/config\.probes\.public/);
    expect(render("read-only", "--set", "httpRoute.enabled=true").stderr).toMatch(/name the Gateway/);
    expect(render("read-only", "--set", "web.replica=3").stderr).toMatch(/replica/);
  });
});
