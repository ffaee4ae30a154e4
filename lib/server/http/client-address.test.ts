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
