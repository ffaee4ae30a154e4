/** As Argo CD's page: its globals, then what extensions registered. The script of the extensions runs after this one. */
import * as React from "react";
import * as ReactDOM from "react-dom";
import { createRoot } from "react-dom/client";
import type { CardProps, FlyoutProps, Resource, TabProps } from "#components/argocd/argo-cd.ts";

type Tab = { component: React.ComponentType<TabProps>; kind: string };
type Panel = { component: React.ComponentType<CardProps>; flyout: React.ComponentType<FlyoutProps> };
const tabs: Tab[] = [];
const panels: Panel[] = [];

Object.assign(window, {
  React,
  ReactDOM,
  extensionsAPI: {
    registerResourceExtension: (component: Tab["component"], _group: string, kind: string) =>
      tabs.push({ component, kind }),
    registerStatusPanelExtension: (
      component: Panel["component"],
      _title: string,
      _id: string,
      flyout: Panel["flyout"],
    ) => panels.push({ component, flyout }),
  },
});

const application = { metadata: { name: "shop", namespace: "argocd" }, spec: { project: "default" } };

function Page({ resource }: { resource: Resource }) {
  const [isOpen, setIsOpen] = React.useState(false);
  return (
    <main>
      {panels.map((panel) => (
        <section key="panel" aria-label="Status">
          <panel.component application={application} openFlyout={() => setIsOpen(true)} />
          {isOpen && <panel.flyout application={application} />}
        </section>
      ))}
      {tabs
        .filter(({ kind }) => kind === resource.kind)
        .map((tab) => (
          <section key={tab.kind} aria-label="Tab">
            <tab.component application={application} resource={resource} />
          </section>
        ))}
    </main>
  );
}

window.addEventListener("load", async () => {
  const resource = (await (await fetch("resource")).json()) as Resource;
  createRoot(document.body.appendChild(document.createElement("div"))).render(<Page resource={resource} />);
});
