type RoomFacts = {
  /** Room that the toasts need now, in px. */
  needed: number;
  /** Room that the page keeps free now, in px. */
  reserved: number;
  /** How much of the page is below the lower edge of the window. */
  below: number;
};

/**
 * Returns how much room the page keeps free at its end, in px. Room that is no longer needed is given up only if it is
 * out of view: otherwise the page would move under the pointer when a toast goes.
 */
export function assessRoom({ needed, reserved, below }: RoomFacts): number {
  return needed >= reserved ? needed : Math.max(needed, reserved - Math.floor(below));
}
