import { describe, expect, it } from "vitest";
import { hideAddresses } from "./redact-text.ts";

const hidden = "(address not shown)";

describe("hideAddresses", () => {
  it.each([
    ["connect ECONNREFUSED 10.1.2.3:6443", `connect ECONNREFUSED ${hidden}`],
    ["connect ECONNREFUSED ::1:6443", `connect ECONNREFUSED ${hidden}`],
    ["connect EHOSTUNREACH [fd00::12]:6443", `connect EHOSTUNREACH ${hidden}`],
    ["getaddrinfo ENOTFOUND api.prod.internal", `getaddrinfo ENOTFOUND ${hidden}`],
    ["getaddrinfo EAI_AGAIN kube", `getaddrinfo EAI_AGAIN ${hidden}`],
    ["no answer from https://api.prod.internal:6443/apis (x)", `no answer from ${hidden} (x)`],
    ["lost api.prod.internal:6443 again", `lost ${hidden} again`],
    ["dial tcp 172.20.0.1:443: i/o timeout", `dial tcp ${hidden}: i/o timeout`],
  ])("%s", (text, expected) => {
    expect(hideAddresses(text)).toBe(expected);
  });

  it.each([
    "the API server answered 429: too many requests",
    "since 2026-11-20T10:00:00.000Z nothing was heard",
    'rollouts.argoproj.io is forbidden: User "system:serviceaccount:gatehouse:recorder" cannot list resource "rollouts"',
    "another cluster answers under this name",
    "cluster prod: certificate has expired (CERT_HAS_EXPIRED)",
  ])("leaves as it is: %s", (text) => {
    expect(hideAddresses(text)).toBe(text);
  });
});
