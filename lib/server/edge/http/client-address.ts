import { BlockList, isIP } from "node:net";

/** Holds the address of the socket, regardless of the value that the client sent. */
export const peerHeader = "x-gatehouse-peer";

/** Returns the client's address, as `settleClientAddress` stored it. */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}

/** Returns the address that the connection came from: the client's, or that of the nearest proxy. */
export function peerAddress(headers: Headers): string {
  return headers.get(peerHeader) ?? "unknown";
}

/**
 * Determines the addresses of the socket's peer and of the client. Any client can send an X-Forwarded-For, even from
 * within a pod network, so it counts only from proxies that the config names: then the client's address is the last one
 * that is not such a proxy.
 */
export function settleClientAddress({
  peer,
  forwarded,
  trustedProxies,
}: {
  /** Of the socket; undefined if it is already closed. */
  peer: string | undefined;
  forwarded: string | string[] | undefined;
  trustedProxies: readonly string[];
}): { address: string; peer: string } {
  const own = plainAddress(peer ?? "");
  if (own === "") return { address: "unknown", peer: "unknown" };
  const said = [forwarded ?? []].flat().join(",").split(",").map(plainAddress);
  let address = own;
  for (let index = said.length - 1; index >= 0; index -= 1) {
    const before = said[index] ?? "";
    if (!isWithin(trustedProxies, address) || isIP(before) === 0) break;
    address = before;
  }
  return { address, peer: own };
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
