import type { UserInfo } from "#sandbox/apiserver/auth.ts";
import { findResource } from "#sandbox/apiserver/resources.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import type { AuditedWrite } from "./audit-event.ts";

type Actor = { user: UserInfo; program: string };

const AUTHENTICATED = "system:authenticated";
const person = (name: string, group: string): UserInfo => ({ name, groups: [group, AUTHENTICATED], extra: {} });
const serviceAccount = (namespace: string, name: string): UserInfo => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, AUTHENTICATED],
  extra: {},
});

/**
 * Who stands behind the field managers of the scripts. The controllers are absent: an audit policy leaves their accounts
 * out.
 */
const ACTORS: Readonly<Record<string, Actor>> = {
  "kubectl-argo-rollouts": { user: person("sre-oncall@example.com", "sre"), program: "kubectl-argo-rollouts/v1.10.2" },
  kubectl: { user: person("platform-admin@example.com", "platform"), program: "kubectl/v1.36.1" },
  "argocd-controller": {
    user: serviceAccount("argocd", "argocd-application-controller"),
    program: "argocd-application-controller/v3.2.0",
  },
};

/**
 * Returns the store for whoever acts without a request: scripts that play people and delivery tools. Each of their
 * updates is audited as the patch that a client would have sent.
 */
export function auditStore(store: Store, options: { now: () => Date; onWrite: (write: AuditedWrite) => void }): Store {
  return {
    list: store.list.bind(store),
    get: store.get.bind(store),
    create: store.create.bind(store),
    delete: store.delete.bind(store),
    subscribe: store.subscribe.bind(store),
    update(plural, object, writing) {
      const actor = ACTORS[writing.manager];
      const resource = findResource(plural);
      const { namespace, name } = object.metadata;
      const before = actor === undefined ? undefined : store.get(plural, namespace, name);
      const after = store.update(plural, object, writing);
      if (actor === undefined || resource === undefined || !resource.custom || before === undefined) return after;
      if (before.metadata.resourceVersion === after.metadata.resourceVersion) return after;
      const { subresource } = writing;
      const path = `/apis/${resource.group}/${resource.version}/namespaces/${namespace}/${plural}/${name}`;
      const at = options.now();
      options.onWrite({
        verb: "patch",
        ...{ resource, subresource, namespace, name, code: 200, impersonated: undefined },
        uri: `${path}${subresource === undefined ? "" : `/${subresource}`}?fieldManager=${writing.manager}`,
        user: actor.user,
        userAgent: `${actor.program} (linux/amd64) kubernetes/unknown`,
        sourceIp: "192.0.2.17",
        sent: diffOf(before, after),
        ...{ receivedAt: at, answeredAt: at },
      });
      return after;
    },
  };
}

/** Returns the merge patch of what differs, to two levels: `{"status": {"abort": true}}`. */
function diffOf(before: KubeObject, after: KubeObject): Record<string, unknown> {
  const parts = (["spec", "status"] as const).flatMap((part) => {
    const patch = diffMembers(before[part] ?? {}, after[part] ?? {});
    return Object.keys(patch).length === 0 ? [] : [[part, patch] as const];
  });
  const { annotations = {} } = after.metadata;
  const annotated = diffMembers(before.metadata.annotations ?? {}, annotations);
  return {
    ...(Object.keys(annotated).length === 0 ? {} : { metadata: { annotations: annotated } }),
    ...Object.fromEntries(parts),
  };
}

function diffMembers(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name] ?? null]),
  );
}
