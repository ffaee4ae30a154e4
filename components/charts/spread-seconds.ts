/**
 * Spreads places of the same whole second evenly over that second, in order. The cluster writes whole seconds; drawn on
 * top of each other, only one place would be visible.
 */
export function spreadSeconds<Place extends { atMs: number }>(places: readonly Place[]): Place[] {
  const bySecond = Map.groupBy(places, ({ atMs }) => atMs);
  return places.map((place) => {
    const together = bySecond.get(place.atMs) ?? [];
    if (together.length < 2 || place.atMs % 1_000 !== 0) return place;
    return { ...place, atMs: place.atMs + (together.indexOf(place) * 1_000) / together.length };
  });
}
