/** Limits of one answer with logs, and of the logs that are open at a web process. */
export type LogLimits = {
  /** As many as a person can search through. A longer log is read in parts, by time. */
  maxLines: number;
  maxMebibytes: number;
  /** The rest of a longer line is dropped. No readable line is longer. */
  maxLineBytes: number;
  /** A followed log ends then; the page asks again. */
  maxMinutes: number;
  /** Logs of pods that are read at the same time, by one person and by all: each is a connection to an API server. */
  podsPerPerson: number;
  pods: number;
};

export const logLimits: LogLimits = {
  maxLines: 10_000,
  maxMebibytes: 16,
  maxLineBytes: 16_384,
  maxMinutes: 15,
  podsPerPerson: 60,
  pods: 300,
};
