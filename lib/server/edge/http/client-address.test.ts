import { describe, expect, it } from "vitest";
import { clientAddress, peerAddress, settleClientAddress } from "./client-address.ts";

describe("without trusted proxies", () => {
  it.each<[string, string | undefined, string | undefined, string]>([
    ["a public client cannot say who it is", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["nobody on loopback can", "127.0.0.1", "198.51.100.1", "127.0.0.1"],
    ["no pod can", "::ffff:10.2.3.4", "198.51.100.1", "10.2.3.4"],
    ["over IPv6 neither", "fd00::1", "2001:db8::7", "fd00::1"],
    ["no proxy", "127.0.0.1", undefined, "127.0.0.1"],
    ["a socket that is gone", undefined, "198.51.100.1", "unknown"],
  ])("%s", (_, peer, forwarded, address) => {
    expect(settleClientAddress({ peer, forwarded, trustedProxies: [] })).toEqual({ address, peer: address });
  });
});

describe("with trusted proxies in the config", () => {
  const trustedProxies = ["10.0.0.0/8", "192.0.2.7", "fd00::/8"];
  it.each<[string, string, string | string[] | undefined, string]>([
    ["what stands before all of them", "10.0.0.1", "1.1.1.1, 198.51.100.1, 192.0.2.7", "198.51.100.1"],
    ["only the last address is the proxy's", "10.2.3.4", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["also over several headers", "10.2.3.4", ["1.1.1.1", "198.51.100.1"], "198.51.100.1"],
    ["a client inside cannot say more than it is", "10.0.0.1", "1.1.1.1, 172.16.0.9", "172.16.0.9"],
    ["loopback is not one", "127.0.0.1", "198.51.100.1", "127.0.0.1"],
    ["nobody but proxies", "10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["over IPv6", "fd00::1", "2001:db8::1", "2001:db8::1"],
    ["IPv6 in brackets", "fd00::1", "[2001:db8::7]:443", "2001:db8::7"],
    ["a port is left out", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["rubbish ends it", "10.0.0.1", "198.51.100.1, x", "10.0.0.1"],
    ["rubbish is no address", "10.0.0.1", "unknown, <script>", "10.0.0.1"],
  ])("%s", (_, peer, forwarded, address) => {
    expect(settleClientAddress({ peer, forwarded, trustedProxies })).toEqual({ address, peer });
  });
});

it("takes the last address of the header", () => {
  expect(clientAddress(new Headers({ "x-forwarded-for": "a, b" }))).toBe("b");
  expect([clientAddress(new Headers()), peerAddress(new Headers())]).toEqual(["unknown", "unknown"]);
});
