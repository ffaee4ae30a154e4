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
  ['admission webhook "x" denied the request', undefined],
])("%s", (message, right) => {
  expect(readMissingRight(message)).toEqual(right);
});
