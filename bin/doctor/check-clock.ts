/** More than this confuses "since when" in pages, and the expiry of approvals. A Date header has whole seconds. */
export const clockToleranceMs = 5000;

/** Says how a clock compares with this machine's. Throws one sentence that says what to mend. */
export function judgeClock({ name, leadMs }: { name: string; leadMs: number }): string {
  const seconds = (Math.abs(leadMs) / 1000).toFixed(1);
  if (Math.abs(leadMs) <= clockToleranceMs) return `${name} is within ${clockToleranceMs / 1000} s of this machine`;
  const side = leadMs > 0 ? "ahead of" : "behind";
  throw new Error(
    `${name} is ${seconds} s ${side} this machine: let NTP set both clocks (timedatectl says whether it does)`,
  );
}
