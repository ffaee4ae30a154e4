/** The server's clock minus ours, in milliseconds, from the Date header of its responses. */
let offsetMs = 0;

/** A Date header has whole seconds, so smaller differences mean nothing. */
const noiseMs = 2_000;

export function noteServerDate(header: string | null, receivedAtMs: number): void {
  if (header === null) return;
  const serverMs = Date.parse(header);
  if (Number.isNaN(serverMs)) return;
  const difference = serverMs - receivedAtMs;
  offsetMs = Math.abs(difference) > noiseMs ? difference : 0;
}

/** Returns the time by the server's clock: ages and countdowns must not depend on the visitor's own clock. */
export function serverNowMs(): number {
  return Date.now() + offsetMs;
}
