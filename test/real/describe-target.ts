import { connectCluster } from "./real-cluster.ts";
import { readTarget } from "./real-target.ts";

/** Vitest's global set-up: prints the target that the stories run against, and fails if it does not answer. */
export async function setup(): Promise<void> {
  const target = readTarget();
  const cluster = connectCluster(target.kubeconfig);
  try {
    const version = await cluster.request("GET", "/version");
    const rollouts = await cluster.request("GET", "/apis/argoproj.io/v1alpha1");
    if (rollouts.status !== 200) throw new Error(`no Argo Rollouts at ${cluster.server}: ${rollouts.status}`);
    const deployment = await cluster.request("GET", "/apis/apps/v1/namespaces/argo-rollouts/deployments/argo-rollouts");
    const image = JSON.stringify(deployment.body).match(/"image":"[^"]*:([^"]+)"/)?.[1];
    const lines = [
      `server   ${cluster.server}, Kubernetes ${version.body.gitVersion ?? "unknown"}`,
      `Argo     ${target.argoVersion ?? image ?? "of unknown version: GATEHOUSE_REAL_ARGO_VERSION may say it"}`,
      `Flagger  ${target.flaggerVersion ?? "none: GATEHOUSE_REAL_FLAGGER_VERSION may say it; its stories are skipped"}`,
      `metrics  ${target.metricsUrl ?? `our own server at ${target.metricsListen}, reached at ${target.metricsReachedAt}`}`,
      `gates    at ${target.gatesListen}, reached at ${target.gatesReachedAt}`,
      `roles    ${target.helm === undefined ? "the kubeconfig's own account" : `those of the chart, impersonation by ${target.impersonation}`}`,
      ...Object.entries(target.hooks).map(([name, command]) => `${name}  ${command ?? "not given"}`),
    ];
    process.stdout.write(`gatehouse against a real cluster\n${lines.map((line) => `  ${line}\n`).join("")}`);
  } finally {
    cluster.close();
  }
}
