import { BlockList, isIP } from "node:net";

/**
 * Returns the address that the nearest proxy, or the socket, saw, as `settleClientAddress` stored it. For rate limits.
 */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}

/**
 * Determines the client's address. By default it is the socket's, since anybody can send an X-Forwarded-For. If the
 * peer is a trusted proxy, the last address that is not a trusted proxy counts. If the config names no proxies, peers
 * on loopback or in a private network may be proxies, and only the address that such a peer added itself is trusted.
 */
export function settleClientAddress({
  peer,
  forwarded,
  trustedProxies,
}: {
  /** Of the socket; undefined if it is already closed. */
  peer: string | undefined;
  forwarded: string | string[] | undefined;
  trustedProxies?: readonly string[] | undefined;
}): string {
  const own = plainAddress(peer ?? "");
  if (own === "") return "unknown";
  const said = [forwarded ?? []].flat().join(",").split(",").map(plainAddress);
  let address = own;
  for (let index = said.length - 1; index >= 0; index -= 1) {
    const isTrusted = trustedProxies === undefined ? isPrivateAddress(address) : isWithin(trustedProxies, address);
    const before = said[index] ?? "";
    if (!isTrusted || isIP(before) === 0) return address;
    address = before;
    if (trustedProxies === undefined) return address;
  }
  return address;
}

const lists = new WeakMap<readonly string[], BlockList>();

function isWithin(networks: readonly string[], address: string): boolean {
  const list = lists.get(networks) ?? toBlockList(networks);
  lists.set(networks, list);
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Removes the port and brackets that some proxies add, and returns an IPv4-mapped IPv6 address as IPv4. */
function plainAddress(text: string): string {
  const trimmed = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  return bare.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, "");
}

/** Matches loopback, link-local and private ranges: 10/8, 172.16/12, 192.168/16, 100.64/10, fc00::/7, fe80::/10. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) {
    const [first = 0, second = 0] = address.split(".").map(Number);
    return (
      first === 10 ||
      first === 127 ||
      (first === 172 && second >= 16 && second <= 31) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254) ||
      (first === 100 && second >= 64 && second <= 127)
    );
  }
  return isIP(address) === 6 && (address === "::1" || /^f[cd]/.test(address) || /^fe[89ab]/.test(address));
}
