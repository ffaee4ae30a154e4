import { describe, expect, it, type TestContext } from "vitest";
import type { AnalysisRunDetail, Measurement } from "#lib/contract/analysis-run.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { GET as listMeasurements } from "../../app/api/v1/analysis-runs/[uid]/measurements/route.ts";
import { GET as getRun } from "../../app/api/v1/analysis-runs/[uid]/route.ts";
import { GET as getTimeline } from "../../app/api/v1/rollouts/[cluster]/[namespace]/[kind]/[name]/timeline/route.ts";
import type { Json } from "./real-cluster.ts";
import type { RealWorld } from "./real-world.ts";
import { pausesOf, poll, type RolloutStory, startStory } from "./rollout-story.ts";

type Run = { detail: AnalysisRunDetail; measurements: Measurement[] };

/** Returns the run of the story's release once Gatehouse has its end. */
async function endedRun(world: RealWorld, story: RolloutStory): Promise<Run> {
  const { releaseRuns } = await story.seen(
    "its run ended",
    ({ releaseRuns: [run] }) => (run?.completedAt ?? "") !== "",
  );
  const params = { uid: releaseRuns[0]?.uid ?? "" };
  const detail = (await world.call(getRun, { params })) as unknown as AnalysisRunDetail;
  const { items } = await world.call(listMeasurements, { params });
  return { detail, measurements: items as Measurement[] };
}

async function createTemplate(world: RealWorld, name: string, spec: Json): Promise<void> {
  await world.cluster.create(`/apis/argoproj.io/v1alpha1/namespaces/${world.namespace}/analysistemplates`, {
    ...{ apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisTemplate" },
    ...{ metadata: { name, namespace: world.namespace }, spec },
  });
}

const jobOf = (command: string) => ({
  job: {
    spec: {
      backoffLimit: 0,
      template: {
        spec: { restartPolicy: "Never", containers: [{ name: "check", image: "busybox:1.36", command: [command] }] },
      },
    },
  },
});

/** Describes what the controller notes beside a verdict, and specs as people write them. */
export function describeEvidence(world: () => RealWorld): void {
  describe("evidence", () => {
    it("of a Job names the Job that measured", async () => {
      const name = "job-metric";
      await createTemplate(world(), name, { metrics: [{ name: "check", provider: jobOf("true") }] });
      const analysis = { templates: [{ templateName: name }] };
      const story = await startStory(world(), {
        name,
        strategy: { canary: { steps: [{ setWeight: 50 }, { analysis }, { pause: {} }] } },
      });
      await story.release(world().target.images[1]);
      const { detail, measurements } = await endedRun(world(), story);
      expect(detail.phase).toBe("Successful");
      const [{ metadata } = {}] = measurements;
      const job = metadata?.["job-name"] ?? "";
      expect(metadata).toMatchObject({ "job-namespace": world().namespace });
      const { metadata: found } = await world().cluster.get(
        `/apis/batch/v1/namespaces/${world().namespace}/jobs/${job}`,
      );
      expect(found.name).toBe(job);
      expect(detail.evidence[0]?.metadata?.["job-name"]).toBe(job);
    });

    it("reads a metric whose every field comes from an argument", async () => {
      const name = "all-args";
      const args = Object.entries({
        ...{ metric: "rate", count: "2", interval: "1s", delay: "1s", limit: "1", least: "0.9" },
        url: world().metrics.urlOf(`${world().namespace}-${name}`),
      }).map(([key, value]) => ({ name: key, value }));
      const metric = {
        ...{ name: "{{args.metric}}", count: "{{args.count}}", interval: "{{args.interval}}" },
        ...{ initialDelay: "{{args.delay}}", failureLimit: "{{args.limit}}", inconclusiveLimit: "{{args.limit}}" },
        successCondition: "result >= {{args.least}}",
        provider: { web: { url: "{{args.url}}", jsonPath: "{$.data}" } },
      };
      await createTemplate(world(), name, { args, metrics: [metric] });
      const analysis = { templates: [{ templateName: name }] };
      const story = await startStory(world(), {
        name,
        strategy: { canary: { steps: [{ setWeight: 50 }, { analysis }, { pause: {} }] } },
      });
      await story.release(world().target.images[1]);
      const { detail, measurements } = await endedRun(world(), story);
      expect(detail.phase).toBe("Successful");
      expect(detail.metrics).toEqual([
        expect.objectContaining({
          name: "rate",
          successCondition: "result >= 0.9",
          limits: expect.objectContaining({ count: "2", interval: "1s", initialDelay: "1s", failureLimit: "1" }),
        }),
      ]);
      expect(measurements).toHaveLength(2);
      expect(JSON.stringify([detail, measurements])).not.toContain("{{args");
    });

    it("states weights as shares of maxTrafficWeight", async () => {
      const name = "thousandths";
      await createRouted(world(), name);
      const trafficRouting = { maxTrafficWeight: 1000, nginx: { stableIngress: name } };
      const services = { stableService: name, canaryService: `${name}-canary` };
      const steps = [{ setWeight: 125 }, { pause: {} }];
      const story = await startStory(world(), {
        name,
        strategy: { canary: { ...services, trafficRouting, steps } },
      });
      await story.release(world().target.images[1]);
      await story.until("at its gate", (status) => pausesOf(status).length > 0);
      const ingresses = `/apis/networking.k8s.io/v1/namespaces/${world().namespace}/ingresses`;
      const { metadata } = await poll({
        what: "the controller routes to the canary",
        read: () => world().cluster.get(`${ingresses}/${name}-${name}-canary`),
        fits: ({ metadata: { annotations } }) => JSON.stringify(annotations).includes('canary-weight":"125"'),
      });
      expect(JSON.stringify(metadata.annotations)).toContain('canary-weight-total":"1000"');
      const { weight } = await story.seen("the share", ({ weight: seen }) => seen?.actual === 12.5);
      expect(weight).toEqual({ set: 12.5, actual: 12.5 });
    });

    it("has the answers of step plugins, and a failed one aborts the release", async (context) => {
      const plugin = stepPlugin(world(), context);
      const name = "plugin-step";
      const step = (result: string) => ({ plugin: { name: plugin, config: { return: result } } });
      const steps = [{ setWeight: 50 }, step("Successful"), step("Failed"), { pause: {} }];
      const story = await startStory(world(), { name, strategy: { canary: { steps } } });
      await story.release(world().target.images[1]);
      await story.until("aborted", ({ abort }) => abort === true);
      const phasesOf = ({ steps: seen }: RolloutDetail) =>
        seen.map(({ pluginStatuses }) => pluginStatuses.find(({ operation }) => operation === "Run")?.phase);
      const detail = await story.seen("both answers", (seen) => phasesOf(seen).includes("Failed"));
      expect(phasesOf(detail)).toEqual([undefined, "Successful", "Failed", undefined]);
      await poll({
        what: "the timeline says which plugin failed",
        read: () => world().call(getTimeline, { params: world().paramsOf(name) }),
        fits: (timeline) => JSON.stringify(timeline).includes(`plugin ${plugin}: Failed`),
        withinMs: 20_000,
      });
    });
  });
}

function stepPlugin({ target }: RealWorld, context: TestContext): string {
  if (target.stepPlugin === undefined) return context.skip("GATEHOUSE_REAL_STEP_PLUGIN is not set");
  return target.stepPlugin;
}

async function createRouted({ cluster, namespace }: RealWorld, name: string): Promise<void> {
  for (const service of [name, `${name}-canary`])
    await cluster.create(`/api/v1/namespaces/${namespace}/services`, {
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: service } },
      spec: { selector: { app: name }, ports: [{ port: 80 }] },
    });
  const backend = { service: { name, port: { number: 80 } } };
  const paths = [{ path: "/", pathType: "Prefix", backend }];
  await cluster.create(`/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`, {
    ...{ apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name } },
    spec: { rules: [{ host: `${name}.invalid`, http: { paths } }] },
  });
}
