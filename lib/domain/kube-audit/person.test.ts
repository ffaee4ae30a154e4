import { expect, it } from "vitest";
import { maskAddress } from "./mask-address.ts";
import { describeUser, formatUser } from "./person.ts";

it.each([
  [
    "sre-oncall@example.com",
    "kubectl-argo-rollouts/v1.10.2 (linux/amd64)",
    undefined,
    "sre-oncall@example.com, with kubectl-argo-rollouts",
  ],
  ["sre-oncall@example.com", "", undefined, "sre-oncall@example.com"],
  ["release@example.com", "kubectl/v1", "lab-admin", "release@example.com, impersonated by lab-admin, with kubectl"],
  [
    "release@example.com",
    "kubectl/v1",
    "system:serviceaccount:ci:deployer",
    "release@example.com, impersonated by service account ci/deployer, with kubectl",
  ],
  ["system:serviceaccount:argocd:controller", "argocd/v3", undefined, "service account argocd/controller, with argocd"],
  ["system:admin", "k9s/v1", undefined, "system:admin, with k9s"],
])("%s with %s", (username, userAgent, impersonatedBy, expected) => {
  expect(formatUser(describeUser({ username, userAgent, impersonatedBy }))).toBe(expected);
});

it.each([
  ["sre-oncall@example.com", "user"],
  ["system:serviceaccount:a:b", "service-account"],
  ["system:kube-controller-manager", "component"],
])("%s is a %s", (username, type) => {
  expect(describeUser({ username, userAgent: "", impersonatedBy: undefined }).type).toBe(type);
});

it.each([
  ["192.0.2.77", ["192.0.2.0/24"]],
  ["2001:db8:12:34::1", ["2001:db8:12::/48"]],
  ["2001:db8::1", ["2001:db8:0::/48"]],
  ["::1", ["0:0:0::/48"]],
  ["2001:0db8:0012:0:0:0:0:1", ["2001:db8:12::/48"]],
  ["not an address", []],
])("the network of %s", (address, expected) => {
  expect(maskAddress(address, "network")).toEqual(expected);
  expect(maskAddress(address, "keep")).toEqual([address]);
  expect(maskAddress(address, "drop")).toEqual([]);
});
