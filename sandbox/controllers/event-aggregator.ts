const MOST_SIMILAR = 10;
const SIMILAR_FOR_MS = 600_000;

/** Returns the identity and text with which an Event is stored. */
export type EventAggregator = (group: string, text: string, nowMs: number) => { key: string; message: string };

/**
 * Creates what combines Events as client-go does (tools/record/events_cache.go EventAggregate): from the tenth different
 * text of one object, type and reason on, all are one Event whose text is the newest, until ten quiet minutes.
 */
export function createEventAggregator(): EventAggregator {
  const groups = new Map<string, { texts: Set<string>; lastMs: number }>();
  return (group, text, nowMs) => {
    const known = groups.get(group);
    const isFresh = known !== undefined && nowMs - known.lastMs <= SIMILAR_FOR_MS;
    const { texts } = isFresh ? known : { texts: new Set<string>() };
    texts.add(text);
    groups.set(group, { texts, lastMs: nowMs });
    if (texts.size < MOST_SIMILAR) {
      return { key: `${group}\n${text}`, message: text };
    }
    const [oldest] = texts;
    texts.delete(oldest ?? text);
    return { key: group, message: `(combined from similar events): ${text}` };
  };
}
