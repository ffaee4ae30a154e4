import type { KubeObjectInput, Store } from "#sandbox/apiserver/store-types.ts";
import { DEPLOYER } from "./act-on-rollout.ts";
import { buildDeployment, buildRollout, buildServices, buildTemplate } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

/** On the namespace: the names of all objects ever created, so that an object that a person deletes stays deleted. */
export const CREATED_ANNOTATION = "sandbox.gatehouse/created";

export type WantedObject = { resource: string; object: KubeObjectInput };

/** Creates the namespace, the templates, the Services and the Rollout, each at most once in the life of the cluster. */
export function installScenario(store: Store, scenario: Scenario): void {
  const { namespace } = scenario;
  const deployment = buildDeployment(scenario);
  installObjects(store, namespace, [
    ...scenario.templates.map((template) => ({
      resource: template.isClusterScoped === true ? "clusteranalysistemplates" : "analysistemplates",
      object: buildTemplate(namespace, template),
    })),
    ...buildServices(scenario).map((object) => ({ resource: "services", object })),
    ...(deployment === undefined ? [] : [{ resource: "deployments", object: deployment }]),
    { resource: "rollouts", object: buildRollout(scenario) },
  ]);
}

/** Creates the namespace and the objects in it, each at most once in the life of the cluster. */
export function installObjects(store: Store, namespace: string, wanted: readonly WantedObject[]): void {
  const created = createdNames(store, namespace);
  for (const { resource, object } of wanted) {
    const mark = `${resource}.${object.metadata.name}`;
    if (created.has(mark)) {
      continue;
    }
    if (store.get(resource, object.metadata.namespace, object.metadata.name) === undefined) {
      store.create(resource, object, { manager: DEPLOYER });
    }
    created.add(mark);
    markCreated(store, namespace, created);
  }
}

function createdNames(store: Store, namespace: string): Set<string> {
  const existing = store.get("namespaces", undefined, namespace);
  if (existing === undefined) {
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    store.create("namespaces", object, { manager: DEPLOYER });
    return new Set();
  }
  return new Set((existing.metadata.annotations?.[CREATED_ANNOTATION] ?? "").split(",").filter((name) => name !== ""));
}

function markCreated(store: Store, namespace: string, created: Set<string>): void {
  const existing = store.get("namespaces", undefined, namespace);
  if (existing !== undefined) {
    const annotations = { ...existing.metadata.annotations, [CREATED_ANNOTATION]: [...created].join(",") };
    store.update("namespaces", { ...existing, metadata: { ...existing.metadata, annotations } }, { manager: DEPLOYER });
  }
}
