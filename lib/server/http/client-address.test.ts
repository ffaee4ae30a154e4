import { describe, expect, it } from "vitest";
import { clientAddress, isPrivateAddress, settleClientAddress } from "./client-address.ts";

describe("settleClientAddress", () => {
  it.each<[string, string | undefined, string | string[] | undefined, string]>([
    ["a public client cannot say who it is", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["a proxy on loopback can", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["an ingress can", "::ffff:10.2.3.4", "198.51.100.1", "198.51.100.1"],
    ["only the last address is the proxy's", "10.2.3.4", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["also over several headers", "10.2.3.4", ["1.1.1.1", "198.51.100.1"], "198.51.100.1"],
    ["no proxy", "127.0.0.1", undefined, "127.0.0.1"],
    ["rubbish is no address", "127.0.0.1", "unknown, <script>", "127.0.0.1"],
    ["a port is left out", "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["IPv6 in brackets", "fd00::1", "[2001:db8::7]:443", "2001:db8::7"],
    ["a socket that is gone", undefined, "198.51.100.1", "unknown"],
  ])("%s", (_, peer, forwarded, address) => {
    expect(settleClientAddress({ peer, forwarded })).toBe(address);
  });
});

describe("with trusted proxies in the config", () => {
  const trustedProxies = ["10.0.0.0/8", "192.0.2.7", "fd00::/8"];
  it.each<[string, string, string | undefined, string]>([
    ["what stands before all of them", "10.0.0.1", "1.1.1.1, 198.51.100.1, 192.0.2.7", "198.51.100.1"],
    ["a client inside cannot say more than it is", "10.0.0.1", "1.1.1.1, 172.16.0.9", "172.16.0.9"],
    ["loopback is trusted no more", "127.0.0.1", "198.51.100.1", "127.0.0.1"],
    ["nobody but proxies", "10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["over IPv6", "fd00::1", "2001:db8::1", "2001:db8::1"],
    ["rubbish ends it", "10.0.0.1", "198.51.100.1, x", "10.0.0.1"],
  ])("%s", (_, peer, forwarded, address) => {
    expect(settleClientAddress({ peer, forwarded, trustedProxies })).toBe(address);
  });

  it("nobody, where the list is empty", () => {
    expect(settleClientAddress({ peer: "127.0.0.1", forwarded: "1.1.1.1", trustedProxies: [] })).toBe("127.0.0.1");
  });
});

it.each([
  ["172.15.0.1", false],
  ["172.16.0.1", true],
  ["172.32.0.1", false],
  ["100.64.0.1", true],
  ["fe80::1", true],
  ["2001:db8::1", false],
  ["no address", false],
])("%s: private %s", (address, isPrivate) => {
  expect(isPrivateAddress(address)).toBe(isPrivate);
});

it("takes the last address of the header", () => {
  expect(clientAddress(new Headers({ "x-forwarded-for": "a, b" }))).toBe("b");
  expect(clientAddress(new Headers())).toBe("unknown");
});
