// Simulates a program whose threads do not start: a file is missing, or the disk does not answer.
throw new Error("broken-worker.ts does not start");
