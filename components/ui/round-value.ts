/** Zero, and the whole as a fraction and in per cent: 0.99996 is not all. */
const ends = [0, 1, 100];

/**
 * Rounds a recorded value to four digits for reading: "0.997296" is "0.9973". Takes more digits if the rounded value
 * would be on the other side of a limit, or on it; likewise for 0, 1 and 100. Other texts stay as they are.
 */
export function roundValue(recorded: string, limits: readonly number[] = []): string {
  const value = Number(recorded);
  if (recorded.trim() === "" || !Number.isFinite(value) || !/^-?\d*\.\d+$/.test(recorded.trim())) return recorded;
  for (let digits = 4; digits <= 15; digits += 1) {
    // The digits before the point all stay.
    const rounded =
      Math.abs(value) >= 1_000
        ? Math.round(value * 10 ** (digits - 4)) / 10 ** (digits - 4)
        : Number(value.toPrecision(digits));
    if ([...ends, ...limits].every((limit) => Math.sign(rounded - limit) === Math.sign(value - limit))) {
      const text = String(rounded);
      return text.includes("e") ? recorded : text;
    }
  }
  return recorded;
}
