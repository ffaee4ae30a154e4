import { z } from "zod";

/** The stored part of source addresses: the whole address, only the network (/24, /48), or nothing. */
export const sourceAddressRules = ["keep", "network", "drop"] as const;
export type SourceAddresses = (typeof sourceAddressRules)[number];

const [V4, V6] = [z.ipv4(), z.ipv6()];

/** Returns the stored part of an address. Other texts are stored only under `keep`. */
export function maskAddress(address: string, rule: SourceAddresses): string[] {
  if (rule === "keep") return [address];
  if (rule === "drop") return [];
  if (V4.safeParse(address).success) return [`${address.split(".").slice(0, 3).join(".")}.0/24`];
  return V6.safeParse(address).success ? [`${networkOf(address)}::/48`] : [];
}

/** Returns the first three groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = "", tail] = address.toLowerCase().split("::", 2);
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: missing }, () => "0"), ...after];
  return groups
    .slice(0, 3)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
