import { isIP } from "node:net";

/** The address that the nearest proxy, or the socket, saw: `settleClientAddress` has seen to it. For rate limits. */
export function clientAddress(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
}

/**
 * The address of who asks: that of the socket, since anybody can send an X-Forwarded-For. Only where the other end of
 * the socket is loopback or a private address, as a proxy or an ingress has, the last address counts that it added; what
 * stands before that, the client said itself.
 */
export function settleClientAddress({
  peer,
  forwarded,
}: {
  /** Of the socket; undefined where it is closed already. */
  peer: string | undefined;
  forwarded: string | string[] | undefined;
}): string {
  const own = plainAddress(peer ?? "");
  if (!isPrivateAddress(own)) return own === "" ? "unknown" : own;
  const last = plainAddress([forwarded].flat().join(",").split(",").at(-1) ?? "");
  return isIP(last) === 0 ? own : last;
}

/** Without the port and brackets that some proxies add, and as IPv4 where it is one in IPv6 clothes. */
function plainAddress(text: string): string {
  const trimmed = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  return bare.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, "");
}

/** Loopback, link-local, and the ranges that are not routed: 10/8, 172.16/12, 192.168/16, 100.64/10, fc00::/7, fe80::/10. */
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
