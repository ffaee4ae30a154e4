/** Formats "step 3", "steps 3 and 4", "steps 3 to 6": both counted from 1. */
export function nameSteps({ first, last }: { first: number; last: number }): string {
  if (last <= first) return `step ${first}`;
  return last === first + 1 ? `steps ${first} and ${last}` : `steps ${first} to ${last}`;
}
