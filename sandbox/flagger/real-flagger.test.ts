import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRIMARY_POD_START_ANNOTATION } from "#sandbox/controllers/reconcile-deployment.ts";
import type { PodTemplate } from "#sandbox/controllers/rollout-types.ts";
import { FLAGGER_VERSION_ANNOTATION } from "./canary-types.ts";
import { createFlaggerWorld, followMessages, followStates } from "./testing/flagger-world.ts";
import { type HookServer, startHookServer } from "./testing/hook-server.ts";
import { type RecordedCanary, readRecordedCanary } from "./testing/recorded-canary.ts";

type Story = { version: string; name: string; value?: number; breaksPrimary?: boolean };

const stories: Story[] = [
  { version: "1.44.0", name: "f-ok" },
  { version: "1.44.0", name: "f-fail", value: 0.2 },
  { version: "1.44.0", name: "f-wait" },
  { version: "1.44.0", name: "f-bg" },
  // The primary fails after it got the new spec: Recreate, RollingUpdate, and blue-green.
  { version: "1.44.0", name: "f-primrec", breaksPrimary: true },
  { version: "1.44.0", name: "f-primfail", breaksPrimary: true },
  { version: "1.44.0", name: "f-primfailbg", breaksPrimary: true },
  { version: "1.44.0", name: "f-primdlbg", breaksPrimary: true },
  { version: "1.43.0", name: "f-primrec", breaksPrimary: true },
  { version: "1.43.0", name: "f-primdl", breaksPrimary: true },
];

const REFUSED_CALLS = 2;

let hooks: HookServer;
beforeAll(async () => {
  hooks = await startHookServer();
  // Each gate opens after two refusals.
  hooks.answer(({ path }) => {
    const calls = hooks.requests.filter((request) => request.path === path).length;
    return calls > REFUSED_CALLS ? { status: 200 } : { status: 403, body: "Forbidden" };
  });
});
afterAll(() => hooks.close());

describe("the sandbox's Flagger writes the states and Events that real ones wrote", () => {
  it.each(stories)("$name of Flagger $version", async (story) => {
    const recorded = readRecordedCanary(story.version, story.name);
    expect(recorded.states.length).toBeGreaterThan(5);
    const { states, messages } = await replay(recorded, story);
    expect(states).toEqual(recorded.states);
    expect(decisive(messages)).toEqual(decisive(recorded.messages));
  });
});

/** Leaves out what depends on how long the API server and the pods of the recording took. */
function decisive(messages: readonly string[]): string[] {
  return messages.filter((message) => !/^canary deployment .* not ready/.test(message));
}

async function replay(recorded: RecordedCanary, story: Story) {
  const { canary, target, releases } = recorded;
  const { name, namespace = "" } = canary.metadata;
  const world = createFlaggerWorld({ namespace, name });
  const { store } = world;
  const states = followStates(world, name);
  const messages = followMessages(world, name);
  world.answer = () => ({ value: story.value ?? 1 });
  const metadata = { name, namespace };
  const template = { apiVersion: "flagger.app/v1beta1", kind: "MetricTemplate", metadata, spec: {} };
  store.create("metrictemplates", template, { manager: "test" });
  const backend = { service: { name, port: { number: 80 } } };
  const rules = [{ http: { paths: [{ path: "/", backend }] } }];
  const ingress = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata, spec: { rules } };
  store.create("ingresses", ingress, { manager: "test" });
  const { apiVersion, kind } = target;
  const first = withPrimaryStart(target.spec?.template, `${recorded.primaryStartSeconds}s`);
  const deployment = { apiVersion, kind, metadata, spec: { ...target.spec, template: first } };
  store.create("deployments", deployment, { manager: "test" });
  const annotations = { [FLAGGER_VERSION_ANNOTATION]: story.version };
  const spec = withLocalHooks(canary.spec ?? {}, `${hooks.url}/${story.version}`);
  store.create("canaries", { ...canary, metadata: { ...metadata, annotations }, spec }, { manager: "test" });
  for (const { after, template: next } of releases) {
    for (let waitedMs = 0; states.at(-1) !== after && waitedMs < 300_000; waitedMs += 1000) await world.advance(1000);
    const object = world.deployment(name);
    const podTemplate = story.breaksPrimary === true ? withPrimaryStart(next, "never") : (next as PodTemplate);
    store.update("deployments", { ...object, spec: { ...object.spec, template: podTemplate } }, { manager: "test" });
  }
  await world.advance(800_000);
  expect(world.lines.filter((line) => line.includes("failed"))).toEqual([]);
  return { states, messages: [...new Set(messages)] };
}

function withPrimaryStart(template: unknown, podStart: string): PodTemplate {
  const { metadata, ...rest } = template as PodTemplate;
  const annotations = { ...metadata?.annotations, [PRIMARY_POD_START_ANNOTATION]: podStart };
  return { ...rest, metadata: { ...metadata, annotations } };
}

function withLocalHooks(spec: Record<string, unknown>, base: string): Record<string, unknown> {
  const { webhooks, ...analysis } = spec.analysis as { webhooks?: { url: string }[] };
  const local = webhooks?.map((hook) => ({ ...hook, url: base + new URL(hook.url).pathname }));
  return { ...spec, analysis: { ...analysis, ...(local === undefined ? {} : { webhooks: local }) } };
}
