import type { HookCredentialWords } from "#components/gate-credentials/write-hooks.ts";

/** Writes the kubeconfig with which an API server sends its audit events (`--audit-webhook-config-file`). */
export function writeAuditKubeconfig({
  url,
  cluster,
  credential: { id, secret },
}: {
  /** Of Gatehouse, such as `https://gatehouse.example.com` or `https://host.example.com/gatehouse`. */
  url: string;
  cluster: string;
  credential: HookCredentialWords;
}): string {
  const server = new URL(`${url}/hooks/kubernetes-audit/${encodeURIComponent(cluster)}`);
  return `apiVersion: v1
kind: Config
clusters:
  - name: gatehouse
    cluster:
      server: ${server.href}
      # If the system does not know the certificate's authority:
      #certificate-authority: /etc/kubernetes/gatehouse-ca.crt
users:
  - name: api-server
    user:
      token: ${id}.${secret}
contexts:
  - name: gatehouse
    context: {cluster: gatehouse, user: api-server}
current-context: gatehouse`;
}

/** The rules of deploy/kubernetes-audit-policy.yaml (`--audit-policy-file`). */
export const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
omitManagedFields: true
rules:
  - level: None
    users: ["system:serviceaccount:argo-rollouts:argo-rollouts", "system:serviceaccount:flagger-system:flagger"]
  - level: Request
    verbs: [create, update, patch, delete]
    resources:
      - group: argoproj.io
        resources: [rollouts, rollouts/status, analysisruns, analysisruns/status, experiments, experiments/status]
      - group: flagger.app
        resources: [canaries, canaries/status]
  - level: None`;
