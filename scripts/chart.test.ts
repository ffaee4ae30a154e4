import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createRolloutSeries } from "#lib/server/pages/monitoring/rollout-series.ts";
import { createWebMetrics } from "#lib/server/platform/telemetry/web-metrics.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";

// What of the chart and the Dockerfile can be checked without helm and without an engine; rendered-chart.test.ts renders.

const root = join(import.meta.dirname, "..");
const chart = join(root, "deploy/chart");
const read = (path: string) => readFileSync(join(root, path), "utf8");

type Rule = { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] };
type Role = { kind: string; metadata: { name: string }; rules: Rule[] };

function readRules(file: string, role: string): Rule[] {
  const objects = parseAllDocuments(read(`deploy/${file}`)).map((document) => document.toJSON() as Role | null);
  const found = objects.find((object) => object?.kind === "ClusterRole" && object.metadata.name === role);
  if (found === undefined || found === null) throw new Error(`${file} has no ${role}`);
  return found.rules;
}

const chartRules = (name: string): Rule[] => parse(read(`deploy/chart/files/${name}-rules.yaml`));

/** Each single right as a text. */
const listRights = (rules: Rule[]) =>
  rules.flatMap(({ apiGroups, resources, verbs, resourceNames = ["*"] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) => resourceNames.map((name) => `${verb} ${group}/${resource} ${name}`)),
      ),
    ),
  );

describe("the rights of the chart", () => {
  it.each([
    ["read", "rbac-read.yaml"],
    ["hold", "rbac-hold.yaml"],
    ["events", "rbac-events.yaml"],
    ["review", "rbac-review.yaml"],
  ])("to %s are those of deploy/%s: node scripts/kustomize.mjs", (name, file) => {
    expect(chartRules(name)).toEqual(readRules(file, `gatehouse-${name}`));
  });

  it("of the web process are a part of the recorder's, and only to get", () => {
    const gates = listRights(chartRules("gate"));
    const all = new Set(listRights(chartRules("read")));
    expect(gates.filter((right) => !all.has(right))).toEqual([]);
    expect(gates.every((right) => right.startsWith("get "))).toBe(true);
    expect(gates).toHaveLength(3);
  });
});

type Metric = { labels: string[]; isHistogram: boolean };

async function listMetrics(): Promise<Map<string, Metric>> {
  const makers = [() => createWebMetrics({ withProcess: false }), createRecorderMetrics, createRolloutSeries];
  const registries = makers.map((make) => make().registry);
  const names = (await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))).flat();
  const found = new Map<string, Metric>();
  for (const { name, type } of names) {
    const labels = registries.flatMap((registry) => {
      const metric = registry.getSingleMetric(name) as { labelNames?: string[] } | undefined;
      return metric?.labelNames ?? [];
    });
    found.set(name, { labels, isHistogram: String(type) === "histogram" });
  }
  return found;
}

/** Returns what an expression names and no process has: metrics, and labels that none of its metrics carries. */
function findUnknown(expression: string, metrics: Map<string, Metric>): string[] {
  const names = expression.match(/\bgatehouse_\w+/g) ?? [];
  const known = names.map((name) => metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, "")));
  const labels = new Set(
    known.flatMap((metric) => [...(metric?.labels ?? []), ...(metric?.isHistogram ? ["le"] : [])]),
  );
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const matched = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label);
  const unknown = names.filter((_, index) => known[index] === undefined);
  const strange = [...grouped, ...matched].filter((label) => !labels.has(label));
  return names.length === 0 ? ["no metric of ours"] : [...unknown, ...strange.map((label) => `label ${label}`)];
}

type Alert = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> };

describe("what Prometheus and Grafana are asked", () => {
  const groups: { rules: Alert[] }[] = parse(read("deploy/chart/files/alerts.yaml"));
  const alerts = groups.flatMap(({ rules }) => rules);
  type Panel = { title: string; gridPos: unknown; targets: { expr: string; legendFormat: string }[] };
  const dashboards = ["dashboard", "rollouts-dashboard"].map((name): { uid: string; panels: Panel[] } =>
    JSON.parse(read(`deploy/chart/files/${name}.json`)),
  );
  const panels = dashboards.flatMap((dashboard) => dashboard.panels);

  it("names only metrics and labels that the processes have", async () => {
    const metrics = await listMetrics();
    expect(metrics.size).toBeGreaterThan(30);
    const asked = [
      ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
      ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
    ];
    expect(
      asked.map(({ where, expr }) => [where, ...findUnknown(expr, metrics)]).filter((row) => row.length > 1),
    ).toEqual([]);
    expect(findUnknown("sum by (pod) (gatehouse_nothing_total)", metrics)).toEqual([
      "gatehouse_nothing_total",
      "label pod",
    ]);
  });

  it("tells for each alert how grave it is and what to do, with labels that its expression keeps", () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, expr, labels, annotations } of alerts) {
      expect(["critical", "warning"], alert).toContain(labels.severity);
      expect(annotations.summary, alert).toBeTruthy();
      expect(annotations.description, alert).toBeTruthy();
      for (const [, label = ""] of JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g))
        expect(expr, `${alert} ${label}`).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
    }
  });

  it("shows in a legend only labels that the panel's expression keeps", () => {
    for (const { title, targets } of panels)
      for (const { expr, legendFormat } of targets)
        for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect(expr, title).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
    for (const { panels: own } of dashboards)
      expect(new Set(own.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(own.length);
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  });
});

type Schema = { type?: string; properties?: Record<string, Schema>; additionalProperties?: unknown };

/** Returns the paths of values that the schema does not name, and of what the schema names and no value has. */
function compare(schema: Schema, values: unknown, path = ""): string[] {
  if (schema.properties === undefined) return [];
  const given = values as Record<string, unknown>;
  const keys = new Set([...Object.keys(schema.properties), ...Object.keys(given)]);
  return [...keys].flatMap((key) => {
    const part = schema.properties?.[key];
    if (key === "global") return [];
    return part === undefined || !(key in given) ? [`${path}${key}`] : compare(part, given[key], `${path}${key}.`);
  });
}

describe("the values of the chart", () => {
  it("are those of the schema, which refuses all others", () => {
    const schema: Schema = JSON.parse(read("deploy/chart/values.schema.json"));
    expect(compare(schema, parse(read("deploy/chart/values.yaml")))).toEqual([]);
    const open = (part: Schema, path: string): string[] => [
      ...(part.properties !== undefined && part.additionalProperties !== false ? [path] : []),
      ...Object.entries(part.properties ?? {}).flatMap(([key, inner]) => open(inner, `${path}.${key}`)),
    ];
    expect(open(schema, "values")).toEqual([]);
  });

  it("are named in the templates, and the templates name no others", () => {
    const text = readdirSync(join(chart, "templates"), { recursive: true })
      .map(String)
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => read(`deploy/chart/templates/${name}`))
      .join("\n");
    const values = parse(read("deploy/chart/values.yaml"));
    const used = [...text.matchAll(/\.Values\.([\w.]*\w)/g)].map(([, path = ""]) => path);
    const exists = (path: string) =>
      path.startsWith("config.") ||
      path.split(".").reduce((part: unknown, key) => (part as Record<string, unknown> | undefined)?.[key], values) !==
        undefined;
    expect(used.filter((path) => !exists(path))).toEqual([]);
    expect(
      Object.keys(values).filter((key) => !used.some((path) => path === key || path.startsWith(`${key}.`))),
    ).toEqual([]);
  });

  it("have the version of the program", () => {
    const { appVersion } = parse(read("deploy/chart/Chart.yaml"));
    expect(appVersion).toBe(JSON.parse(read("package.json")).version);
  });
});

describe("the Dockerfile", () => {
  const stages = read("Dockerfile").split(/^FROM /m);
  const last = stages.at(-1) ?? "";

  it("ends as a user without rights, by number, and starts the program without a shell", () => {
    expect(stages).toHaveLength(3);
    expect(last).toMatch(/^USER 65532:65532$/m);
    expect(last).toMatch(/^ENTRYPOINT \["\/usr\/local\/bin\/node", "--[a-z-]+=\d+", "\/app\/bin\/cli.mjs"\]$/m);
    expect(last).toMatch(/^CMD \[/m);
    // A command would need a shell, which the image does not have.
    expect(last).not.toMatch(/^RUN/m);
  });

  it("names its bases by their digest", () => {
    const bases = [...read("Dockerfile").matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, base]) => base);
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/@sha256:[0-9a-f]{64}$/);
    // Only those, or what another stage has made.
    for (const from of stages.slice(1)) expect(from).toMatch(/^\$\{\w+_IMAGE\}/);
  });

  it("is given only what the build reads", () => {
    const lines = read(".dockerignore").split("\n");
    expect(lines).toContain("*");
    const allowed = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    for (const name of ["node_modules", ".git", "sandbox", "test", "e2e", ".gatehouse"])
      expect(allowed).not.toContain(name);
    for (const name of allowed) expect(() => readdirSync(root).includes(name) || expect.fail(name)).not.toThrow();
  });
});
