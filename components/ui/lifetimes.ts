/** How long a credential may live, in days, for a select; empty: until it is revoked. */
export const lifetimes = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "366", label: "366 days" },
  { value: "", label: "never" },
];

/** Returns the part of a request that says so. */
export function toExpiry(days: string): { expiresInDays?: number } {
  return days === "" ? {} : { expiresInDays: Number(days) };
}
