import type { ComponentType } from "react";

/** The parts of Argo CD's objects and of its API of extensions that the extension uses (ui/src/app/shared, v2.7 to v3). */
export type Application = { metadata: { name: string; namespace: string }; spec: { project: string } };
export type Resource = { kind: string; metadata: { namespace: string; name: string; uid?: string } };
export type TreeNode = { group?: string; kind: string; namespace?: string; uid?: string };

export type TabProps = { application: Application; resource: Resource };
export type CardProps = { application: Application; openFlyout: () => void };
export type FlyoutProps = { application: Application };

/** Older versions have no status panel. */
type ExtensionsApi = {
  registerResourceExtension(component: ComponentType<TabProps>, group: string, kind: string, title: string): void;
  registerStatusPanelExtension?(
    component: ComponentType<CardProps>,
    title: string,
    id: string,
    flyout: ComponentType<FlyoutProps>,
  ): void;
};

/** The globals of Argo CD's page; `GATEHOUSE_VARS` is written by its extension installer, or by hand. */
type Page = { extensionsAPI?: ExtensionsApi; GATEHOUSE_VARS?: { URL?: unknown } };

export function pageOfArgoCd(): Page {
  return window as Page;
}

/** The kinds that Gatehouse records, by their group. */
export const watchedKinds: readonly { group: string; kind: string }[] = [
  { group: "argoproj.io", kind: "Rollout" },
  { group: "flagger.app", kind: "Canary" },
];
