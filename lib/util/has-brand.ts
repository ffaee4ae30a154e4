/**
 * Returns whether the value is an error with this word as its `brand`. The built application contains each of our
 * classes once per bundle, so `instanceof` fails across bundles; a word is the same everywhere.
 */
export function hasBrand(error: unknown, brand: string): boolean {
  return error instanceof Error && "brand" in error && error.brand === brand;
}
