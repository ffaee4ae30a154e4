/** Formats a length of time exactly: `10 s`, `1 min 30 s`, `1 h`. */
export function formatLength(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "min"],
    [Math.round((seconds % 60) * 1000) / 1000, "s"],
  ] as const;
  const named = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return named.length === 0 ? "0 s" : named.join(" ");
}
