const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats a duration in one or two units, such as `14 min`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) {
    const minutes = Math.floor(length / minute);
    const seconds = Math.floor((length % minute) / second);
    return minutes < 10 && seconds > 0 ? `${minutes} min ${seconds} s` : `${minutes} min`;
  }
  if (length < day) {
    const minutes = Math.floor((length % hour) / minute);
    return minutes > 0 ? `${Math.floor(length / hour)} h ${minutes} min` : `${Math.floor(length / hour)} h`;
  }
  const hours = Math.floor((length % day) / hour);
  return hours > 0 && length < 10 * day ? `${Math.floor(length / day)} d ${hours} h` : `${Math.floor(length / day)} d`;
}

/** Formats a duration in seconds, with a tenth while that matters. */
export function formatSeconds(seconds: number): string {
  return seconds < 10 ? `${Math.round(seconds * 10) / 10} s` : formatDuration(seconds * second);
}

/** Returns the seconds between two times as their clocks show them, without fractions: the cluster writes whole seconds. */
export function countClockSeconds(from: string, to: string): number {
  return Math.floor(Date.parse(to) / second) - Math.floor(Date.parse(from) / second);
}

/**
 * Formats the time between two times as their shown clocks give it; below ten seconds, with tenths. All lists and pages
 * show the length of the same record alike.
 */
export function formatLength(from: string, to: string): string {
  return formatSeconds(countShownSeconds(from, to));
}

/** Returns the seconds between two times that `formatLength` shows. */
export function countShownSeconds(from: string, to: string): number {
  const exact = (Date.parse(to) - Date.parse(from)) / second;
  return exact < 10 ? exact : countClockSeconds(from, to);
}

/**
 * Rounds the parts of a whole, all in seconds, to the smallest unit in which the whole is shown, so that the shown parts
 * add up to it: those that lose most by rounding down are rounded up. A part below that unit stays as it is.
 */
export function roundParts(parts: readonly number[], whole: number): number[] {
  const unit = findSmallestUnit(whole * second) / second;
  const large = parts.map((part) => (part < unit ? 0 : part));
  const small = parts.reduce((sum, part) => sum + (part < unit ? part : 0), 0);
  const missing =
    Math.floor(whole / unit + tolerance) -
    Math.round(small / unit) -
    large.reduce((sum, part) => sum + Math.floor(part / unit + tolerance), 0);
  const lossOf = (part: number) => part / unit - Math.floor(part / unit + tolerance);
  const up = new Set(
    large
      .map((part, index) => ({ index, part }))
      .filter(({ part }) => part > 0)
      .toSorted((one, other) => lossOf(other.part) - lossOf(one.part))
      .slice(0, Math.max(0, missing))
      .map(({ index }) => index),
  );
  return parts.map((part, index) =>
    part < unit ? part : (Math.floor(part / unit + tolerance) + (up.has(index) ? 1 : 0)) * unit,
  );
}

/** Of sums of fractions. */
const tolerance = 1e-6;

/** Returns the smallest unit that `formatSeconds` shows of a duration, in milliseconds. */
function findSmallestUnit(length: number): number {
  if (length < 10 * second) return second / 10;
  if (length < 10 * minute) return second;
  if (length < day) return minute;
  return length < 10 * day ? hour : day;
}

/** Formats a duration in its largest unit alone, rounded down: `14 min`, `3 d`. */
export function formatCoarsely(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  const unit = [day, hour, minute].find((each) => length >= each) ?? second;
  return formatDuration(Math.floor(length / unit) * unit);
}
