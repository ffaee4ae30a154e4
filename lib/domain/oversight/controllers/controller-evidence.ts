import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import { versionOf } from "#lib/domain/controllers/facts.ts";
import type { Evidence } from "#lib/domain/oversight/rule.ts";

/** The id of a controller in links: `cluster/component`. */
export function controllerId({ cluster, component }: Pick<ControllerFacts, "cluster" | "component">): string {
  return `${cluster}/${component.name}`;
}

/** Names the controller and its version, with a link to its page. */
export function controllerEvidence(facts: ControllerFacts): Evidence {
  const version = versionOf(facts);
  return {
    label: "Controller",
    value: `${facts.component.label} in ${facts.cluster}, ${version === undefined ? "version unknown" : version}`,
    link: { to: "controller", id: controllerId(facts) },
  };
}

export function formatTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
