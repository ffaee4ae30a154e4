/**
 * Whether it is an error that carries this word as its `brand`. The built application holds each of our classes once per
 * bundle, and `instanceof` fails between two of them; a word is the same everywhere.
 */
export function hasBrand(error: unknown, brand: string): boolean {
  return error instanceof Error && "brand" in error && error.brand === brand;
}
