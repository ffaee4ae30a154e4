import { expect, it } from "vitest";
import { readMissingRight } from "./read-missing-right.ts";

it.each([
  [
    'pods "a" is forbidden: User "b" cannot get resource "pods/log" in API group "" in the namespace "c"',
    { verb: "get", resource: "pods/log", namespace: "c" },
  ],
  [
    'replicasets.apps is forbidden: User "b" cannot list resource "replicasets" in API group "apps" at the cluster scope',
    { verb: "list", resource: "replicasets.apps", namespace: undefined },
  ],
  [
    'users "b" is forbidden: User "gatehouse" cannot impersonate resource "users" in API group "" at the cluster scope',
    { verb: "impersonate", resource: "users", namespace: undefined },
  ],
  [
    'rollouts.argoproj.io is forbidden: User "gatehouse" cannot impersonate-on:user-info:list resource "rollouts" in API group "argoproj.io" in the namespace "c"',
    { verb: "impersonate-on:user-info:list", resource: "rollouts.argoproj.io", namespace: "c" },
  ],
  [
    'userextras.authentication.k8s.io "ada" is forbidden: User "gatehouse" cannot impersonate resource "userextras/gatehouse.dev/person" in API group "authentication.k8s.io" at the cluster scope',
    { verb: "impersonate", resource: "userextras/gatehouse.dev/person.authentication.k8s.io", namespace: undefined },
  ],
  ['admission webhook "x" denied the request', undefined],
])("%s", (message, right) => {
  expect(readMissingRight(message)).toEqual(right);
});
