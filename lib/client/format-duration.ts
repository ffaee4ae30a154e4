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

/** Formats a duration in its largest unit alone, rounded down: `14 min`, `3 d`. */
export function formatCoarsely(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  const unit = [day, hour, minute].find((each) => length >= each) ?? second;
  return formatDuration(Math.floor(length / unit) * unit);
}
