import { describe, expect, it } from "vitest";
import { parseRequestInfo } from "./request-info.ts";

const argo = "/apis/argoproj.io/v1alpha1";

const cases: { method?: string; path: string; expected: Record<string, unknown> }[] = [
  {
    path: `${argo}/rollouts`,
    expected: { verb: "list", group: "argoproj.io", version: "v1alpha1", resource: "rollouts" },
  },
  {
    path: `${argo}/namespaces/wire/rollouts?watch=1`,
    expected: { verb: "watch", namespace: "wire", resource: "rollouts" },
  },
  {
    path: `${argo}/watch/namespaces/wire/rollouts`,
    expected: { verb: "watch", namespace: "wire", resource: "rollouts" },
  },
  { path: `${argo}/namespaces/wire/rollouts/a`, expected: { verb: "get", namespace: "wire", name: "a" } },
  {
    method: "PATCH",
    path: `${argo}/namespaces/wire/rollouts/a/status`,
    expected: { verb: "patch", subresource: "status" },
  },
  { method: "DELETE", path: `${argo}/namespaces/wire/rollouts`, expected: { verb: "deletecollection" } },
  { path: "/api/v1/namespaces", expected: { verb: "list", group: "", resource: "namespaces" } },
  {
    path: "/api/v1/namespaces/wire",
    expected: { verb: "get", resource: "namespaces", name: "wire", namespace: "wire" },
  },
  { path: "/api/v1/namespaces/wire/status", expected: { resource: "namespaces", subresource: "status" } },
  { path: "/api/v1/namespaces/wire/pods/a%20b", expected: { resource: "pods", name: "a b" } },
  { path: "/api/v1", expected: { isResource: false, verb: "get", path: "/api/v1" } },
  { path: argo, expected: { isResource: false } },
  { path: "/version", expected: { isResource: false } },
];

describe("parseRequestInfo", () => {
  it.each(cases)("$method $path", ({ method = "GET", path, expected }) => {
    expect(parseRequestInfo(method, new URL(`http://s${path}`))).toMatchObject(expected);
  });
});
