import type { Component } from "#lib/domain/controllers/component.ts";
import { providers } from "#lib/domain/provider-list.ts";
import { prowComponents } from "#lib/domain/prow/components.ts";

/** Everything whose health Gatehouse can read: the controllers of all providers, and the components of Prow. */
export const components: readonly Component[] = [...providers.flatMap(({ health }) => health ?? []), ...prowComponents];

export function findComponent(name: string): Component | undefined {
  return components.find((component) => component.name === name);
}
