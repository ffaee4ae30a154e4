import { ApplicationCard, ApplicationFlyout } from "#components/argocd/application-card.tsx";
import { pageOfArgoCd, watchedKinds } from "#components/argocd/argo-cd.ts";
import { RolloutTab } from "#components/argocd/rollout-tab.tsx";

// Argo CD loads all extensions as one script: an error here would take the others down.
const api = pageOfArgoCd().extensionsAPI;
for (const { group, kind } of watchedKinds) api?.registerResourceExtension(RolloutTab, group, kind, "Gatehouse");
api?.registerStatusPanelExtension?.(ApplicationCard, "Gatehouse", "gatehouse", ApplicationFlyout);
